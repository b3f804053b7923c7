/** SQL that people write, read-only: docs/TELEMETRY.md#sql. An operation of the stack; other deployments do not have it. */
import { z } from 'zod'
import { pathId, resource, wireNumber } from '../wire/kernel.ts'

/** Rows of a result. */
export const maxSqlRows = 10_000
const maxSqlStatement = 100_000
/** Characters of the statement of a tile. */
export const maxSqlTemplate = 100_000

/** The kinds of EXPLAIN: the steps, the steps with the indexes that they use, and the rows to be read. */
const explainKinds = ['plan', 'indexes', 'estimate'] as const
export type ExplainKind = (typeof explainKinds)[number]

const sqlTableColumn = z.looseObject({
  name: z.string(),
  type: z.string(),
  /** Empty for a stored column, else how it is computed, such as `MATERIALIZED`. */
  kind: z.string().optional(),
  /** On disk. */
  bytes: wireNumber.optional(),
})

const sqlTable = z.looseObject({
  database: z.string(),
  name: z.string(),
  engine: z.string(),
  sortingKey: z.string().optional(),
  /** Absent where the engine does not count them, as for views. */
  rows: wireNumber.optional(),
  /** On disk. */
  bytes: wireNumber.optional(),
  columns: z.array(sqlTableColumn),
})
export type SqlTable = z.infer<typeof sqlTable>

const sqlQuery = z.strictObject({
  /** One SELECT over readable tables, perhaps with comments, a semicolon at its end, or EXPLAIN before it. */
  statement: z.string().min(1).max(maxSqlStatement),
  /** The result has at most so many rows, and says if there are more. */
  maxRows: z.int().min(1).max(maxSqlRows).default(1000),
  explain: z.enum(explainKinds).optional(),
})
export type SqlQuery = z.input<typeof sqlQuery>

const sqlResult = z.looseObject({
  columns: z.array(z.looseObject({ name: z.string(), type: z.string() })),
  /** Values in the order of the columns: numbers beyond 53 bits and decimals are text, as are NaN and infinities. */
  rows: z.array(z.array(z.unknown())),
  /** There are more rows than were asked for. */
  isTruncated: z.boolean(),
  /** Absent where the deployment does not count them. */
  rowsRead: wireNumber.optional(),
  bytesRead: wireNumber.optional(),
  /** From the start of the statement to its last row. */
  milliseconds: wireNumber,
})
export type SqlResult = z.infer<typeof sqlResult>

const time = z.int().min(0).max(8.64e15)

/** Filters of a dashboard for the statement of a tile. Whoever fills the statement checks them. */
export const sqlFilters = z.strictObject({
  /** Conditions in SQL, for `$__filters`. */
  conditions: z.array(z.string().min(1).max(10_000)).max(50),
  /** For `$name` and `$__filter`. */
  variables: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Za-z]\w{0,199}$/),
        /** The column or expression of its filter. Empty for a static list. */
        expression: z.string().max(10_000),
        /** The chosen values; an empty list means no restriction. */
        values: z.array(z.string().max(10_000)).max(1_000),
      }),
    )
    .max(50),
})
export type SqlFilters = z.output<typeof sqlFilters>

const sqlTileRead = z
  .strictObject({
    dashboardId: pathId,
    tileId: z.string().min(1).max(200),
    /** Epoch milliseconds: [startTime, endTime). */
    startTime: time,
    endTime: time,
    /** The length of the buckets that `$__timeInterval` makes. One of them begins at `startTime`. */
    intervalSeconds: z
      .int()
      .min(1)
      .max(100 * 86_400),
    /** Only for a statement that uses them. */
    filters: sqlFilters.optional(),
  })
  .refine(({ startTime, endTime }) => startTime < endTime, {
    path: ['endTime'],
    error: 'endTime must be greater than startTime',
  })
export type SqlTileRead = z.output<typeof sqlTileRead>

const ofStack = { scope: 'stack', variants: ['openSource', 'managed'] } as const

export const sql = resource('sql', {
  /** The tables that statements may read, with their columns. */
  tables: { ...ofStack, method: 'GET', path: '/sql/tables', list: true, result: z.array(sqlTable) },
  run: {
    ...ofStack,
    method: 'POST',
    path: '/sql/queries',
    mutates: false,
    audited: 'statement',
    body: sqlQuery,
    result: sqlResult,
  },
  /** Runs the statement of a Raw SQL tile as it is saved, for a range, with the filters of its dashboard that are sent. */
  tile: {
    ...ofStack,
    unspecified: true,
    feature: 'tiles',
    method: 'POST',
    path: '/sql/tiles',
    mutates: false,
    body: sqlTileRead,
    result: sqlResult,
  },
})
