/**
 * Names of series in legends, tables and titles, and the IDs of their lines, which tell the series of the query and the group of a
 * line.
 */

export interface NamedSeries {
  aggFn?: string | undefined
  alias?: string | undefined
  /** Column or expression that is aggregated. */
  valueExpression?: string | undefined
  metricName?: string | undefined
  /** Quantile, 0 to 1. */
  level?: number | undefined
  where?: string | undefined
}

/** `count`, `p95(Duration)`, `avg(system.cpu.utilization)`, or its alias. */
export function seriesName({ aggFn = 'count', alias, valueExpression, metricName, level = 0.5 }: NamedSeries): string {
  if (alias?.trim()) return alias.trim()
  const fn = aggFn === 'quantile' ? quantileName(level) : aggFn
  const subject = metricName || (aggFn === 'count' ? '' : valueExpression)
  return subject ? `${fn}(${subject})` : fn
}

/** `p95` for 0.95, `p99.9` for 0.999. @param level 0 to 1 */
export const quantileName = (level: number): string => `p${Math.round(level * 1000) / 10}`

/** Characters of a condition in a name. */
const longestCondition = 48

/** Unique names of several series. Equal names get their condition or their letter. */
export function seriesNames(series: readonly NamedSeries[]): string[] {
  const names = series.map(seriesName)
  const distinguished = series.map(({ alias, where }, at) => {
    const name = names[at] ?? ''
    return isShared(names, name) && !alias?.trim() && where?.trim() ? `${name} where ${shortened(where.trim())}` : name
  })
  return distinguished.map((name, at) => (isShared(distinguished, name) ? `${letterOf(at)}: ${name}` : name))
}

const isShared = (names: readonly string[], name: string): boolean => names.filter((other) => other === name).length > 1

const shortened = (text: string): string =>
  text.length > longestCondition ? `${text.slice(0, longestCondition - 1)}…` : text

/** The letter by which formulas know a series. */
export const letterOf = (at: number): string => String.fromCharCode(65 + at)

/** Compares names of groups. Lines get their colors in this order: `web-9` is before `web-10`. */
export const groupOrder = new Intl.Collator('en', { numeric: true })

/** `A/["shop-web"]`. The name has no slash. */
export const lineId = (series: string | number, group: readonly string[]): string =>
  `${series}/${JSON.stringify(group)}`

/** The line of all groups but the largest, which has no group. */
export const othersLineId = (series: string | number): string => `${series}/others`

/** Whether a line is one of these, or of the same in another period or on another deployment. */
export const isOthersLine = (id: string): boolean => /^[^/]+\/others(?:[/@]|$)/.test(id)

/** The series and group of a line; null for an ID that is none of `lineId`. */
export function readLineId(id: string): { series: string; group: string[] } | null {
  const [, series = '', json = ''] = /^([^/]+)\/(\[.*\])$/s.exec(id) ?? []
  return json === '' ? null : { series, group: JSON.parse(json) as string[] } // `lineId` wrote it
}
