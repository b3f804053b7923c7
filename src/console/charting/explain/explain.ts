/** Answers "Explain this" on any deployment. */
import type { ComparedRow, Sides } from '#domain/explanation/attributeCounts.ts'
import { countAttributes } from '#domain/explanation/countAttributes.ts'
import { rankAttributes } from '#domain/explanation/rankAttributes.ts'
import type { ExplainedAttribute, Explanation, Question, ReadOptions } from './question.ts'
import { readCounts } from './readCounts.ts'
import { readComparedRows } from './readComparedRows.ts'
import { readMetricRows } from './readMetricRows.ts'
import { withoutSelecting } from './selectingAttributes.ts'

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
    ranked: isMetric ? larger(found.ranked, rankedOf(rows).ranked) : found.ranked,
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
function larger(byCount: readonly ExplainedAttribute[], bySum: readonly ExplainedAttribute[]): ExplainedAttribute[] {
  const all = [...byCount, ...bySum.map((one) => ({ ...one, bySum: true }))]
  const sorted = all.toSorted((a, b) => b.divergence - a.divergence)
  const seen = new Set<string>()
  return sorted.filter(({ attribute, same }) => {
    const isNew = ![attribute, ...same].some((name) => seen.has(name))
    for (const name of [attribute, ...same]) seen.add(name)
    return isNew
  })
}
