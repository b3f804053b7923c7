/** Checks a text against Prometheus' exposition format 0.0.4, more strictly than its parser does. */

const metricName = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const labelPair = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const number = '[-+]?(?:\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?|Inf)|NaN'
const helpLine = new RegExp(`^# HELP (${metricName}) (?:[^\\\\]|\\\\[\\\\n])*$`)
const typeLine = new RegExp(`^# TYPE (${metricName}) (counter|gauge|histogram)$`)
const sampleLine = new RegExp(`^(${metricName})(?:\\{(${labelPair}(?:,${labelPair})*)\\})? (${number})$`)

interface Family {
  name: string
  type: string
}

/** @returns what is wrong, a line each */
export function expositionProblems(text: string): string[] {
  if (text === '') return []
  if (!text.endsWith('\n')) return ['The text does not end with a newline.']
  const problems: string[] = []
  const families = new Set<string>()
  const series = new Map<string, number>()
  let helped: string | undefined
  let family: Family | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    const help = helpLine.exec(line)?.[1]
    const [, typed, type = ''] = typeLine.exec(line) ?? []
    if (help !== undefined) {
      if (families.has(help)) problems.push(`A second family ${help}`)
      families.add(help)
      helped = help
    } else if (typed !== undefined) {
      if (typed !== helped) problems.push(`TYPE without HELP before it: ${line}`)
      if ((type === 'counter') !== typed.endsWith('_total')) problems.push(`Not the name of a ${type}: ${typed}`)
      family = { name: typed, type }
    } else problems.push(...sampleProblems(line, family, series))
  }
  return [...problems, ...histogramProblems(series)]
}

function sampleProblems(line: string, family: Family | undefined, series: Map<string, number>): string[] {
  const [, name, labels = '', value] = sampleLine.exec(line) ?? []
  if (name === undefined) return [`Not a sample: ${line}`]
  if (!family || !namesOf(family).includes(name)) return [`Outside of its family: ${line}`]
  const key = `${name}{${labels}}`
  const isRepeated = series.has(key)
  const parsed = value === '+Inf' ? Infinity : Number(value)
  series.set(key, parsed)
  return [
    ...(isRepeated ? [`A second value: ${line}`] : []),
    ...(family.type !== 'gauge' && !(parsed >= 0) ? [`A negative count: ${line}`] : []),
  ]
}

function namesOf({ name, type }: Family): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
}

/** Buckets ascend, count all values below them, and the last one is the count. */
function histogramProblems(series: ReadonlyMap<string, number>): string[] {
  const last = new Map<string, { bound: number; count: number }>()
  const problems: string[] = []
  for (const [key, count] of series) {
    const [, name, others, le] = /^(.*)_bucket\{(.*?),?le="([^"]+)"\}$/.exec(key) ?? []
    if (name === undefined) continue
    const group = `${name}_count{${others ?? ''}}`
    const bound = le === '+Inf' ? Infinity : Number(le)
    const before = last.get(group)
    if (before && (bound <= before.bound || count < before.count)) problems.push(`Not cumulative: ${key}`)
    last.set(group, { bound, count })
  }
  for (const [group, { bound, count }] of last) {
    if (bound !== Infinity || series.get(group) !== count) problems.push(`The last bucket is not the count: ${group}`)
  }
  return problems
}
