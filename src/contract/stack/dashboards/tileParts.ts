/** Parts of tile configurations: docs/DEPLOYMENTS.md#tiles. */
import { z } from 'zod'
import { maxFormulaLength } from './formulas.ts'
import { aggFns } from '../charts.ts'
import { metricTypes } from '../sources.ts'

/** Maximum length of an expression, condition or template of a tile. */
const maxExpression = 10_000

/** An ID as deployments accept it: 24 hexadecimal digits, or any 12 characters. */
export const objectId = z.string().refine((id) => /^[0-9a-f]{24}$/i.test(id) || id.length === 12, 'Invalid ObjectId')

export const expression = z.string().max(maxExpression)
export const filledExpression = expression.min(1)
export const whereLanguage = z.enum(['sql', 'lucene'])

/** A condition and its language, with the defaults of deployments. */
export const condition = { where: expression.default(''), whereLanguage: whereLanguage.default('lucene') }

export const numberFormatOutputs = [
  'currency',
  'percent',
  'byte',
  'time',
  'duration',
  'number',
  'data_rate',
  'throughput',
] as const

const dataSizes = ['kibi', 'kilo', 'mebi', 'mega', 'gibi', 'giga', 'tebi', 'tera', 'pebi', 'peta'] as const

const rates = ['packets_sec', 'bytes_sec_iec', 'bytes_sec_si', 'bits_sec_iec', 'bits_sec_si'] as const
const throughputs = ['cps', 'ops', 'rps', 'reads_sec', 'wps', 'iops', 'cpm', 'opm', 'rpm_reads', 'wpm'] as const

/** Units that values are in already. Any other unit is free text, in `unit`. */
const numericUnits = [
  'bytes_iec',
  'bytes_si',
  'bits_iec',
  'bits_si',
  ...dataSizes.map((size) => `${size}bytes` as const),
  ...rates,
  ...dataSizes.flatMap((size) => [`${size}bytes_sec`, `${size}bits_sec`] as const),
  ...throughputs,
]

export const numericUnit = z.enum(numericUnits, {
  error: `Unknown unit. Put free text into unit, or use one of ${numericUnits.join(', ')}`,
})

export const numberFormat = z.object({
  output: z.enum(numberFormatOutputs),
  numericUnit: numericUnit.optional(),
  mantissa: z.int().optional(),
  thousandSeparated: z.boolean().optional(),
  average: z.boolean().optional(),
  decimalBytes: z.boolean().optional(),
  factor: z.number().optional(),
  currencySymbol: z.string().max(100).optional(),
  unit: z.string().max(100).optional(),
})

export const tileColors = [
  'chart-blue',
  'chart-orange',
  'chart-red',
  'chart-cyan',
  'chart-green',
  'chart-pink',
  'chart-purple',
  'chart-light-blue',
  'chart-brown',
  'chart-gray',
  'chart-success',
  'chart-warning',
  'chart-error',
] as const
export const tileColor = z.enum(tileColors)

const ruleStyle = { color: tileColor, label: z.string().max(40).optional() }

/** The last rule that matches the value sets its color. */
export const colorRule = z.discriminatedUnion('operator', [
  z.object({ operator: z.enum(['gt', 'gte', 'lt', 'lte']), value: z.number(), ...ruleStyle }),
  z.object({ operator: z.literal('between'), value: z.tuple([z.number(), z.number()]), ...ruleStyle }),
  z.object({ operator: z.enum(['eq', 'neq']), value: z.union([z.number(), z.string().max(200)]), ...ruleStyle }),
])

export const quantileLevels: readonly number[] = [0.5, 0.9, 0.95, 0.99]

/** One series. A count has no expression, other aggregations require one. */
export const strictSelectItem = z
  .object({
    aggFn: z.enum(aggFns),
    valueExpression: expression.optional(),
    alias: expression.optional(),
    level: z
      .number()
      .refine((level) => quantileLevels.includes(level), `level must be one of ${quantileLevels.join(', ')}`)
      .optional(),
    ...condition,
    numberFormat: numberFormat.optional(),
    metricType: z.enum(metricTypes).optional(),
    metricName: z.string().max(maxExpression).optional(),
    periodAggFn: z.literal('delta').optional(),
  })
  .superRefine((item, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (item.aggFn === 'count' && item.valueExpression) refuse('valueExpression', 'count takes no valueExpression')
    if (item.aggFn !== 'count' && !item.valueExpression) {
      refuse('valueExpression', `valueExpression is required for ${item.aggFn}`)
    }
    if (item.level !== undefined && item.aggFn !== 'quantile') refuse('level', 'level belongs to quantile only')
  })
  .transform((item) => (item.aggFn === 'count' ? { ...item, valueExpression: '' } : item))

export const formula = z.object({
  expression: z.string().max(maxFormulaLength),
  alias: z.string().max(maxExpression).optional(),
  numberFormat: numberFormat.optional(),
})

const clickTarget = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('id'), id: objectId }),
  z.object({ mode: z.literal('template'), template: filledExpression }),
])

const clickConditions = {
  target: clickTarget,
  whereTemplate: expression.optional(),
  whereLanguage: whereLanguage.optional(),
  filters: z
    .array(z.object({ kind: z.literal('expressionTemplate'), expression: z.string().min(1), template: z.string() }))
    .max(50)
    .optional(),
}

/** The target of a click on a table row. */
export const onClick = z.discriminatedUnion('type', [
  z.object({ type: z.literal('search'), ...clickConditions }),
  z.object({ type: z.literal('dashboard'), ...clickConditions }),
  z.object({ type: z.literal('external'), urlTemplate: filledExpression }),
])
