/** How the values of attributes differ between a part of a chart and the rest of it: docs/TELEMETRY.md#explaining-a-part-of-a-chart. */
import { z } from 'zod'
import { resource, wireNumber } from '../wire/kernel.ts'

const milliseconds = z.int().min(1e12, 'Timestamp must be in milliseconds').max(8.64e15)
const range = { startTime: milliseconds, endTime: milliseconds }
const bound = z.number().nullable().default(null)

/** The rows of a chart over logs or traces, and which of them are inside. All times are epoch milliseconds: [startTime, endTime). */
export const explanationQuery = z
  .object({
    ...range,
    sourceId: z.string().min(1),
    where: z.string().max(10_000).default(''),
    whereLanguage: z.enum(['lucene', 'sql']).default('lucene'),
    inside: z.object(range),
    /**
     * For a part of a heatmap: rows are inside if this number is also within the bounds, [from, to), null for none. Rows without
     * a number are not in the chart.
     */
    value: z.object({ expression: z.string().min(1).max(10_000), from: bound, to: bound }).optional(),
  })
  .superRefine(({ startTime, endTime, inside }, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (startTime >= endTime) refuse(['endTime'], 'endTime must be greater than startTime')
    if (inside.startTime >= inside.endTime) refuse(['inside', 'endTime'], 'endTime must be greater than startTime')
  })
export type ExplanationQuery = z.output<typeof explanationQuery>

const sides = { inside: wireNumber, outside: wireNumber }

const attributeValue = z.union([
  z.object({ kind: z.literal('text'), text: z.string() }),
  /** [from, to), null for no bound. */
  z.object({ kind: z.literal('range'), from: wireNumber.nullable(), to: wireNumber.nullable() }),
])

const attributeCounts = z.looseObject({
  /** The expression of the attribute: a column, or a key of a map as `LogAttributes['http.method']`. */
  attribute: z.string(),
  values: z.array(z.object({ value: attributeValue, ...sides })),
  /** Values that are not listed: how many they are, and their rows. */
  others: z.object({ values: wireNumber, ...sides }),
})

/** Counts of rows. Where there are many, those of a sample. */
const explanationCounts = z.looseObject({
  /** Rows that were compared, and that there are. */
  rows: z.object(sides),
  total: z.object(sides),
  /** An attribute of many different numbers is in it twice, by value and by range. */
  attributes: z.array(attributeCounts),
  /** Attributes that were left out because their numbers rise with the time. */
  clocks: z.array(z.string()),
  /** Attributes beyond those that are counted, which fewer rows have. */
  leftOut: wireNumber,
  rowsRead: wireNumber,
  bytesRead: wireNumber,
  milliseconds: wireNumber,
})
export type ExplanationCounts = z.infer<typeof explanationCounts>

/** Separate from the other endpoints of charts, so that pages without explanations do not load it. */
export const chartExplanation = resource('charts', {
  /** How the rows in a part of a chart differ from the others: the deployment counts their attributes, in one request. */
  explain: {
    method: 'POST',
    scope: 'stack',
    path: '/charts/explanation',
    variants: ['openSource'],
    unspecified: true,
    feature: 'explanation',
    mutates: false,
    body: explanationQuery,
    result: explanationCounts,
  },
})
