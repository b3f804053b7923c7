/**
 * The Raw SQL tiles of shared links. Their statements and filters are those that were stored with the link, and run as long as
 * who created it may share.
 */
import { stringifyJson } from '#contract/wire/json.ts'
import { sql } from '#contract/stack/sql.ts'
import {
  maxSharedRows,
  type SharedContent,
  type SharedSql,
  type ViewedContent,
  type ViewedTile,
} from '#contract/console/sharedLinks.ts'
import { usesInterval } from '#domain/alerting/sqlTemplate.ts'
import { withoutLiterals } from '#domain/query/sqlLiterals.ts'
import { alignedRange } from '#domain/series/bucketAlignment.ts'
import type { Span } from '#domain/time/span.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { filledStatement } from '../deploymentTools/sqlReads.ts'

/** Runs a statement on a database of the link's deployment. */
export type RunSql = (query: { statement: string; maxRows: number }, databaseId: string | undefined) => Promise<unknown>

/** Characters of the rows of all Raw SQL tiles of a link: larger views would not be kept, and read again for each viewer. */
const maxRowText = 2_000_000
/** Shown in place of rows, to everybody with the link. */
const tooLarge: ViewedContent = { kind: 'none', reason: 'Its result is too large to be shared.' }

/**
 * Runs the statement of a tile. A result that is larger than those of a link together is not kept.
 * @throws ApiFailure, `invalid` for a statement that cannot be filled
 */
export async function viewedSql(tile: SharedSql, span: Span, run: RunSql): Promise<ViewedContent> {
  const { config, notes, template, databaseId, alignment } = tile
  const grid = alignedRange(alignment, span)
  const statement = statementOf(tile, span)
  const maxRows = rowsOf(config['displayType'])
  const found = sql.run.result.safeParse(await run({ statement, maxRows }, databaseId))
  if (!found.success) throw failure('malformedReply', 'The deployment’s response does not match the API.')
  const { columns, isTruncated } = found.data
  const rows = found.data.rows.slice(0, maxRows)
  if (charactersOf(rows) > maxRowText) return tooLarge
  return {
    kind: 'sql',
    config,
    notes,
    span: grid.span,
    bucketMs: grid.bucketMs,
    usesInterval: usesInterval(template),
    // Without what the deployment says besides: viewers see what is drawn.
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows,
    isTruncated: isTruncated || found.data.rows.length > maxRows,
  }
}

/** The rows that a tile draws at most. */
function rowsOf(displayType: unknown): number {
  if (displayType === 'number') return 1
  return displayType === 'table' ? maxSharedRows.table : maxSharedRows.chart
}

/** @throws ApiFailure `invalid` for a statement that cannot be filled */
export function statementOf({ template, filters, source, alignment }: SharedSql, span: Span): string {
  const { span: read, bucketMs } = alignedRange(alignment, span)
  const intervalSeconds = Math.max(1, Math.round(bucketMs / 1000))
  const times = { startTime: read.from, endTime: read.to, intervalSeconds }
  const tile = { config: { configType: 'sql', sqlTemplate: template } }
  return filledStatement(tile, { ...times, ...(filters && { filters }) }, source)
}

/** Leaves out the rows of tiles once those before have as many as are shown. */
export function withinSize(tiles: readonly ViewedTile[]): ViewedTile[] {
  let left = maxRowText
  return tiles.map((tile) => {
    if (tile.content.kind !== 'sql') return tile
    const size = charactersOf(tile.content.rows)
    if (size > left) return { ...tile, content: tooLarge }
    left -= size
    return tile
  })
}

/** The characters of rows. It stops counting where they are too many. */
function charactersOf(rows: readonly unknown[]): number {
  let count = 0
  for (const row of rows) {
    count += stringifyJson(row).length + 1
    if (count > maxRowText) break
  }
  return count
}

/** The statements of a link as the audit log has them. */
export const shownStatements = ({ tiles }: SharedContent): string[] =>
  tiles.flatMap(({ content }) => (content.kind === 'sql' ? [withoutLiterals(content.template)] : []))
