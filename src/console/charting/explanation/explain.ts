/** Answers "Explain this" on any deployment. */
import type { ComparedRow, Sides } from '#domain/explanation/attributeCounts.ts'
import { countAttributes } from '#domain/explanation/countAttributes.ts'
import { rankAttributes } from '#domain/explanation/rankAttributes.ts'
import { type ExplainedAttribute, type Explanation, type Question, type ReadOptions, wholeOf } from './question.ts'
import { readComparedRows } from './readComparedRows.ts'
import { readMetricRows } from './readMetricRows.ts'
import { withoutSelecting } from './selectingAttributes.ts'
import { call } from '#console/api/call.ts'
import { asFailure } from '#console/api/failure.ts'
import { answerKey, answers, subjectOf } from '#console/api/offers/offers.ts'
import { chartExplanation } from '#contract/stack/explanation.ts'

/**
 * The attributes whose values differ between the part of a chart and the rest of it, the most different first; without those by whose
 * values the part of a heatmap was selected. Throws ApiFailure.
 */
export async function explain(connectionId: string, question: Question, options: ReadOptions): Promise<Explanation> {
  const isMetric = question.subject.source.kind === 'metric'
  const counted = isMetric ? null : await readCounts(connectionId, question, options.signal)
  if (counted) return counted
  const read = await (isMetric ? readMetricRows : readComparedRows)(connectionId, question, options)
  const { rows, total, requests } = read
  const rankedOf = (compared: Sides<ComparedRow[]>) => rank(compared, question)
  const found = rankedOf({ inside: rows.inside.map(unweighted), outside: rows.outside.map(unweighted) })
  return {
    ...found,
    ranked: isMetric ? mergeByLargerDifference(found.ranked, rankedOf(rows).ranked) : found.ranked,
    read: { inside: rows.inside.length, outside: rows.outside.length },
    total,
    requests,
    way: isMetric ? 'series' : 'rows',
  }
}

const unweighted = ({ at, values }: ComparedRow): ComparedRow => ({ at, values })

/** Ranks attributes that are not those by which the rows were selected. */
function rank(
  rows: Sides<ComparedRow[]>,
  { values }: Pick<Question, 'values'>,
): Pick<Explanation, 'ranked' | 'attributes' | 'clocks'> {
  const { counts, clocks } = withoutSelecting(countAttributes(rows), values)
  return {
    ranked: rankAttributes(counts, { inside: rows.inside.length, outside: rows.outside.length }),
    attributes: new Set(counts.map(({ attribute }) => attribute)).size,
    clocks,
  }
}

/**
 * The selection of a metric may have other time series (a new version) or other values (one host with more than before).
 * Each attribute is ranked by the larger of the two differences.
 */
function mergeByLargerDifference(
  byCount: readonly ExplainedAttribute[],
  bySum: readonly ExplainedAttribute[],
): ExplainedAttribute[] {
  const all = [...byCount, ...bySum.map((attribute) => ({ ...attribute, bySum: true }))]
  const sorted = all.toSorted((a, b) => b.divergence - a.divergence)
  const seen = new Set<string>()
  return sorted.filter(({ attribute, same }) => {
    const isNew = ![attribute, ...same].some((name) => seen.has(name))
    for (const name of [attribute, ...same]) seen.add(name)
    return isNew
  })
}

/**
 * Asks the deployment to count the attributes itself, in one request: the stack does, others have no such route. The
 * explanation of rows; null from a deployment that does not count them. Throws ApiFailure.
 */
async function readCounts(connectionId: string, question: Question, signal: AbortSignal): Promise<Explanation | null> {
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
