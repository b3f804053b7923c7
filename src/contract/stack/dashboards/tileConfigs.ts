/**
 * Tile configurations as the stack accepts them: docs/DEPLOYMENTS.md#tiles.
 * Unknown keys are dropped, and defaults are set as deployments set them.
 */
import { z } from 'zod'
import { FormulaError, parseFormula, seriesLetters } from './formulas.ts'
import {
  colorRule,
  condition,
  expression,
  filledExpression,
  formula,
  numberFormat,
  objectId,
  onClick,
  strictSelectItem,
  tileColor,
} from './tileParts.ts'

const maxSelect = 20
const maxFormulas = 10

const select = z.array(strictSelectItem).min(1).max(maxSelect)
const oneSelect = z.array(strictSelectItem).length(1)
const formulas = { formulas: z.array(formula).max(maxFormulas).optional(), showOperandSeries: z.boolean().optional() }
/** Absent means the default limit, 0 means no limit. */
const cap = z.int().min(0).optional()

/** A configuration that is not raw SQL has no `configType`. */
const builder = { configType: z.undefined().optional() }

interface Series {
  select: readonly unknown[]
  asRatio?: boolean | undefined
  formulas?: readonly { expression: string }[] | undefined
}

/** The requirements of ratios and formulas, which exclude each other. */
function seriesRules(config: Series, context: z.RefinementCtx): void {
  const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (config.asRatio && config.select.length !== 2) {
    refuse([], 'asRatio can only be used with exactly two select items')
  }
  if (config.asRatio && config.formulas?.length) refuse(['formulas'], 'formulas cannot be used with asRatio')
  for (const [index, { expression }] of (config.formulas ?? []).entries()) {
    const problem = formulaProblem(expression, config.select.length)
    if (problem) refuse(['formulas', index, 'expression'], problem)
  }
}

function formulaProblem(expression: string, series: number): string | null {
  try {
    const letters = seriesLetters(parseFormula(expression))
    if (letters.length === 0) return 'A formula must use at least one series'
    const unknown = letters.find((letter) => letter.charCodeAt(0) - 65 >= series)
    if (unknown)
      return `Unknown series "${unknown}": this tile has ${series === 1 ? 'A' : `A to ${lastLetter(series)}`}`
    return null
  } catch (error) {
    if (error instanceof FormulaError) return error.message
    throw error
  }
}

const lastLetter = (series: number) => String.fromCharCode(64 + series)

/** How the points of a line are connected. Default: smooth lines, straight edges of stacked areas. */
const lineInterpolation = z.enum(['smooth', 'linear', 'step']).optional()

const overTime = {
  ...builder,
  sourceId: objectId,
  select,
  groupBy: expression.optional(),
  asRatio: z.boolean().default(false),
  alignDateRangeToGranularity: z.boolean().optional(),
  fillNulls: z.boolean().default(true),
  numberFormat: numberFormat.optional(),
  ...formulas,
  seriesLimit: cap,
  lineInterpolation,
}

const line = z
  .object({
    displayType: z.literal('line'),
    ...overTime,
    compareToPreviousPeriod: z.boolean().optional(),
    fitYAxisToData: z.boolean().optional(),
  })
  .superRefine(seriesRules)

const stackedBar = z.object({ displayType: z.literal('stacked_bar'), ...overTime }).superRefine(seriesRules)

const table = z
  .object({
    displayType: z.literal('table'),
    ...builder,
    sourceId: objectId,
    select,
    groupBy: expression.optional(),
    having: expression.optional(),
    orderBy: expression.optional(),
    asRatio: z.boolean().default(false),
    numberFormat: numberFormat.optional(),
    groupByColumnsOnLeft: z.boolean().optional(),
    onClick: onClick.optional(),
    ...formulas,
  })
  .superRefine(seriesRules)

const number = z
  .object({
    displayType: z.literal('number'),
    ...builder,
    sourceId: objectId,
    select,
    numberFormat: numberFormat.optional(),
    ...formulas,
    color: tileColor.optional(),
    colorRules: z.array(colorRule).max(10).optional(),
    backgroundChart: z.object({ type: z.enum(['line', 'area']), color: tileColor.optional() }).optional(),
  })
  .superRefine((config, context) => {
    seriesRules(config, context)
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const shown = config.formulas?.length ?? 0
    if (shown > 1) refuse('formulas', 'A number tile shows one formula')
    if (shown === 0 && config.select.length > 1) refuse('select', 'Array must contain exactly 1 element(s)')
  })

const categories = {
  ...builder,
  sourceId: objectId,
  select: oneSelect,
  groupBy: expression.optional(),
  orderBy: expression.optional(),
  numberFormat: numberFormat.optional(),
  limit: cap,
}
const pie = z.object({ displayType: z.literal('pie'), ...categories })
const bar = z.object({ displayType: z.literal('bar'), ...categories })

const heatmap = z.object({
  displayType: z.literal('heatmap'),
  ...builder,
  heatmapMode: z.literal('distribution').optional(),
  sourceId: objectId,
  select: z
    .array(
      z.object({
        valueExpression: filledExpression,
        countExpression: expression.optional(),
        heatmapScaleType: z.enum(['log', 'linear']).optional(),
      }),
    )
    .length(1),
  ...condition,
  numberFormat: numberFormat.optional(),
})

const search = z.object({
  displayType: z.literal('search'),
  ...builder,
  sourceId: objectId,
  select: expression,
  ...condition,
})

const eventPatterns = z.object({
  displayType: z.literal('event_patterns'),
  ...builder,
  sourceId: objectId,
  select: expression.default(''),
  ...condition,
})

const markdown = z.object({
  displayType: z.literal('markdown'),
  ...builder,
  markdown: z.string().max(50_000).optional(),
})

const builderConfig = z.discriminatedUnion('displayType', [
  line,
  stackedBar,
  table,
  number,
  pie,
  bar,
  heatmap,
  search,
  eventPatterns,
  markdown,
])

const sql = {
  configType: z.literal('sql'),
  connectionId: objectId,
  sqlTemplate: z.string().max(100_000),
  sourceId: objectId.optional(),
  numberFormat: numberFormat.optional(),
}

const sqlOverTime = {
  ...sql,
  alignDateRangeToGranularity: z.boolean().optional(),
  fillNulls: z.boolean().default(true),
  seriesLimit: cap,
  lineInterpolation,
}

const sqlConfig = z.discriminatedUnion('displayType', [
  z.object({
    displayType: z.literal('line'),
    ...sqlOverTime,
    compareToPreviousPeriod: z.boolean().optional(),
    fitYAxisToData: z.boolean().optional(),
  }),
  z.object({ displayType: z.literal('stacked_bar'), ...sqlOverTime }),
  z.object({ displayType: z.literal('table'), ...sql, onClick: onClick.optional() }),
  z.object({ displayType: z.literal('number'), ...sql, color: tileColor.optional() }),
  z.object({ displayType: z.literal('pie'), ...sql }),
  z.object({ displayType: z.literal('bar'), ...sql }),
])

/** Selected by `configType: 'sql'` first, then by `displayType`. */
export const tileConfigStrict = z.discriminatedUnion('configType', [sqlConfig, builderConfig])
export type StrictTileConfig = z.output<typeof tileConfigStrict>
/** A configuration before defaults are set. */
export type TileConfigInput = z.input<typeof tileConfigStrict>
