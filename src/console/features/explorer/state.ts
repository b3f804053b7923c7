/** The state of the explorer. All of it is in the URL. */
import { z } from 'zod'
import { aggFns, granularities, maxGroupBy, type maxSeries } from '#contract/stack/charts.ts'
import { metricTypes } from '#contract/stack/sources.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import { chartTypes } from '#console/ui/chart/chartTypes.ts'
import { units } from '#domain/charts/units.ts'
import { isRangeEnd } from '#console/ui/time/range.ts'
import { refreshChoices } from '#console/ui/time/refresh.ts'
import { comparison } from './comparison/comparing.ts'
import { isZone } from '#domain/time/zone.ts'
import { chosenZone } from '#console/shell/browserSettings.ts'

/** Series have letters, as formulas name them. */
export const letters = ['A', 'B', 'C', 'D', 'E'] as const satisfies { length: typeof maxSeries }
type Letter = (typeof letters)[number]

const text = z.string().max(10_000)
const rangeEnd = z.string().refine(isRangeEnd, 'is not a time such as now-1h or epoch milliseconds')

/** URL keys of a series after its letter (`a`, `a.where`), with their defaults. */
const seriesKeys = {
  '': z.enum(aggFns),
  in: text.default(''),
  field: text.default(''),
  level: z.coerce.number().min(0).max(1).default(0.95),
  where: text.default(''),
  lang: z.enum(['lucene', 'sql']).default('lucene'),
  metric: text.default(''),
  type: z.enum(metricTypes).default('gauge'),
  as: text.default(''),
}

/** Keys of the page as a whole. */
const pageKeys = {
  from: rangeEnd.default('now-1h'),
  to: rangeEnd.default('now'),
  tz: z.string().refine(isZone).default(chosenZone),
  g: z.enum([...granularities, 'auto']).default('auto'),
  chart: z.enum(['auto', ...chartTypes]).default('auto'),
  unit: z.enum(['auto', ...units]).default('auto'),
  scale: z.enum(['linear', 'log']).default('linear'),
  by: text.default(''),
  formula: text.default(''),
  empty: z.enum(['gap', 'zero']).default('gap'),
  /** How many groups are drawn of each series, the largest; 0 for all. */
  top: z.coerce.number().int().min(0).max(100).default(0),
  compare: comparison.default('off'),
  view: z.enum(['chart', 'table', 'number']).default('chart'),
  /** ID of the connection to compare with. */
  over: text.default(''),
  /** Sources there that were selected manually: `here:there`, parted by commas. */
  match: text.default(''),
  refresh: z.enum(refreshChoices).default('off'),
}

type Values<Keys extends Record<string, z.ZodType>> = { [K in keyof Keys]: z.output<Keys[K]> }
type PageValues = Values<typeof pageKeys>

export interface SeriesState {
  /** Empty: the first log source. */
  sourceId: string
  aggFn: (typeof aggFns)[number]
  field: string
  /** Quantile, 0 to 1. */
  level: number
  where: string
  whereLanguage: 'lucene' | 'sql'
  metricName: string
  metricType: (typeof metricTypes)[number]
  alias: string
}

export interface ExplorerState extends Omit<PageValues, 'by'> {
  groupBy: string[]
  /** None: the page chooses, by the sources that there are. */
  series: SeriesState[]
}

export type Search = Record<string, string | undefined>

/** Parses a URL. Invalid values are replaced by defaults and reported. */
export function readExplorer(search: Search): { state: ExplorerState; notices: string[] } {
  const notices: string[] = []
  const read = <T>(key: string, schema: z.ZodType<T>, fallback: T): T => {
    const value = search[key]
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    notices.push(`Invalid value "${value}" for URL parameter ${key}. Using ${words(fallback)}.`)
    return fallback
  }
  const page = readKeys(pageKeys, (key) => key, read)
  const { by, ...rest } = page
  const groupBy = splitExpressions(by)
  if (groupBy.length > maxGroupBy)
    notices.push(`At most ${maxGroupBy} group-by fields are supported. The others are ignored.`)
  const series = letters.flatMap((letter) => readSeries(search, letter, read))
  return { state: { ...rest, groupBy: groupBy.slice(0, maxGroupBy), series }, notices }
}

type Read = <T>(key: string, schema: z.ZodType<T>, fallback: T) => T

function readKeys<Keys extends Record<string, z.ZodType>>(
  keys: Keys,
  nameOf: (key: string) => string,
  read: Read,
): Values<Keys> {
  const entries = Object.entries(keys).map(([key, schema]) => [key, read(nameOf(key), schema, schema.parse(undefined))])
  // Object.fromEntries forgets its keys; they are those of `keys`.
  return Object.fromEntries(entries) as Values<Keys>
}

function readSeries(search: Search, letter: Letter, read: Read): SeriesState[] {
  const name = letter.toLowerCase()
  if (search[name] === undefined) return []
  const { '': aggFn, ...optional } = seriesKeys
  const found = readKeys(optional, (key) => `${name}.${key}`, read)
  return [
    {
      sourceId: found.in,
      aggFn: read(name, aggFn, 'count'),
      field: found.field,
      level: found.level,
      where: found.where,
      whereLanguage: found.lang,
      metricName: found.metric,
      metricType: found.type,
      alias: found.as,
    },
  ]
}

const words = (value: unknown) => (value === '' ? 'nothing' : String(value))

/** The URL of a state: every possible key, undefined for a default. */
export function writeExplorer(state: ExplorerState): Search {
  const { groupBy, series, ...page } = state
  const search: Search = {}
  const write = (key: string, schema: z.ZodType, value: unknown) => {
    search[key] = value === schema.parse(undefined) ? undefined : String(value)
  }
  const values: Record<string, unknown> = { ...page, by: groupBy.join(',') }
  for (const [key, schema] of Object.entries(pageKeys)) write(key, schema, values[key])
  // In the link, whoever opens it: their own default may be another zone.
  search.tz = page.tz === 'local' ? undefined : page.tz
  letters.forEach((letter, index) => {
    const name = letter.toLowerCase()
    const current = series[index]
    const { '': _, ...optional } = seriesKeys
    search[name] = current?.aggFn
    const own: Record<string, unknown> = current
      ? {
          in: current.sourceId,
          field: current.field,
          level: current.level,
          where: current.where,
          lang: current.whereLanguage,
          metric: current.metricName,
          type: current.metricType,
          as: current.alias,
        }
      : {}
    for (const [key, schema] of Object.entries(optional)) {
      if (current) write(`${name}.${key}`, schema, own[key])
      else search[`${name}.${key}`] = undefined
    }
  })
  return search
}

export const newSeries: SeriesState = {
  sourceId: '',
  aggFn: 'count',
  field: '',
  level: 0.95,
  where: '',
  whereLanguage: 'lucene',
  metricName: '',
  metricType: 'gauge',
  alias: '',
}
