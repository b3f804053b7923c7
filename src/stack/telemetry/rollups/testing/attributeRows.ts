/** Records with attributes of all kinds, and the questions for the values of their attributes. */
import * as fc from 'fast-check'
import { chartQuery, type ChartPoint, type ChartQuery, type ChartRow } from '#contract/stack/charts.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { LogRow } from '../../tableRows.ts'

const hour = 3_600_000
const day = 24 * hour
/** The beginning of the day before yesterday. */
export const start = (Math.floor(currentTime() / day) - 2) * day

export type Asked = Partial<ChartQuery> & { series: ChartQuery['series'] }

/** A query with its defaults: three days as one bucket. */
export const parsedQuery = (query: Asked) =>
  chartQuery.parse({ startTime: start, endTime: start + 3 * day, granularity: '30d', ...query })

/** The points of an answer as texts, and the roll-ups that it was read from. */
export function answerOf(points: readonly (ChartPoint | ChartRow)[]) {
  const readFrom = points.flatMap((point) => point['readFrom'] ?? [])
  const plain = points.map((point) =>
    JSON.stringify(point, (key, value: unknown) => (key === 'readFrom' ? undefined : value)),
  )
  return { readFrom, points: plain.toSorted() }
}

/** The count by a field. */
export const facet = (field: string, where = '', rest: Partial<ChartQuery> = {}): Asked => ({
  series: [{ sourceId: 'log', aggFn: 'count', where, groupBy: [field] }],
  ...rest,
})

const word = fc.constantFrom('', 'a', 'b', 'GET', 'it\'s "one"', 'x'.repeat(128), 'ä%_*', '\u0000z')
const attributes = fc
  .record({ method: word, 'http.route': word, long: fc.constantFrom('a', '', 'x'.repeat(129)) }, { requiredKeys: [] })
  .map((one): Record<string, string> => ({ ...one }))

/** Records of two days. */
export const logRow: fc.Arbitrary<LogRow> = fc
  .record({
    at: fc.integer({ min: 0, max: 2 * day }),
    ServiceName: fc.constantFrom('api', 'web', ''),
    SeverityText: fc.constantFrom('info', 'error'),
    ScopeName: fc.constantFrom('', 'a', 'x'.repeat(128)),
    LogAttributes: attributes,
    ResourceAttributes: attributes,
    ScopeAttributes: attributes,
  })
  .map(({ at, ...rest }): LogRow => ({ ...rest, Timestamp: `${((start + at) / 1000).toFixed(3)}000001` }))

const field = fc.constantFrom(
  "LogAttributes['method']",
  'LogAttributes.http.route',
  "arrayElement(ResourceAttributes, 'http.route')",
  "ResourceAttributes['long']",
  "ScopeAttributes['none']",
  'ScopeName',
  'EventName',
  'SeverityText',
)
/** Conditions that a roll-up of values has, and some that it has not. */
function whereOf(name: string): fc.Arbitrary<string> {
  const spelled = name.replace(/\['(.*)'\]/, '.$1').replace(/arrayElement\((\w+), '(.*)'\)/, '$1.$2')
  return fc.constantFrom('', '', `${spelled}:"a"`, `-${spelled}:(a OR GE*)`, `${spelled}:*`, 'ServiceName:api')
}

export const facetQuery: fc.Arbitrary<Asked> = fc
  .record({
    field,
    from: fc.integer({ min: 0, max: day }),
    length: fc.integer({ min: hour, max: 2 * day }),
    granularity: fc.constantFrom('15m' as const, '1h' as const, '1d' as const, '30d' as const),
    topGroups: fc.constantFrom(undefined, 1, 2),
    timezone: fc.constantFrom(undefined, 'Asia/Kathmandu'),
  })
  .chain(({ field: name, from, length, ...rest }) =>
    whereOf(name).map((where) =>
      facet(name, where, { ...rest, startTime: start + from, endTime: start + from + length }),
    ),
  )
