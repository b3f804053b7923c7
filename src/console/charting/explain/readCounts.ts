/** Asks the deployment to count the attributes itself, in one request: the stack does, others have no such route. */
import { call } from '#console/api/call.ts'
import { asFailure } from '#console/api/failure.ts'
import { answerKey, answers, subjectOf } from '#console/api/offers/offers.ts'
import { chartExplanation } from '#contract/stack/explanation.ts'
import { rankAttributes } from '#domain/explanation/rankAttributes.ts'
import { type Explanation, type Question, wholeOf } from './question.ts'
import { withoutSelecting } from './selectingAttributes.ts'

/** The explanation of rows; null from a deployment that does not count them. Throws ApiFailure. */
export async function readCounts(
  connectionId: string,
  question: Question,
  signal: AbortSignal,
): Promise<Explanation | null> {
  if (answers.state[answerKey(connectionId, subjectOf(chartExplanation.explain))] === 'notOffered') return null
  const body = bodyOf(question)
  try {
    const { rows, total, attributes, clocks, ...counted } = await call(
      connectionId,
      chartExplanation.explain,
      { body },
      { signal },
    )
    const compared = withoutSelecting({ counts: attributes, clocks }, question.values)
    return {
      ranked: rankAttributes(compared.counts, rows),
      attributes: new Set(compared.counts.map(({ attribute }) => attribute)).size,
      clocks: compared.clocks,
      read: rows,
      total,
      requests: 1,
      way: 'counts',
      counted,
    }
  } catch (error) {
    if (['notOffered', 'notFound'].includes(asFailure(error).code)) return null
    throw error
  }
}

function bodyOf(question: Question) {
  const { inside, subject, values } = question
  const { source, series } = subject
  const { from: startTime, to: endTime } = wholeOf(question)
  return {
    sourceId: source.id,
    startTime,
    endTime,
    where: series.where,
    whereLanguage: series.whereLanguage,
    inside: { startTime: inside.from, endTime: inside.to },
    ...(values && {
      value: { expression: `toFloat64OrNull(${values.text})`, from: values.from, to: values.to },
    }),
  }
}
