import { writtenCondition } from '#console/charting/freeText.ts'
import { columnsOf } from '#console/charting/rows/columns.ts'
import { maxMessages, messageColumns } from '#console/charting/rows/messageRows.ts'
import { planTile, type QueryPlan, type TileRows } from '#console/charting/tiles/tileQuery.ts'
import { chartStatements, searchStatements, type ShownStatement } from '#console/charting/statement/shownStatement.ts'
import { StatementDialog } from '#console/charting/statement/StatementDialog.tsx'
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import type { TileData } from '../model/dataScope.ts'
import { maxListed } from './tiles/RowsTile.tsx'

interface TileStatementProps {
  tile: Tile
  data: TileData
  onClose: () => void
}

/** The SQL of a tile. */
export function TileStatement({ tile, data, onClose }: TileStatementProps) {
  const { connectionId, scope, sources } = data
  const { config } = tile
  const plan = scope && planTile(config, scope)
  return (
    <StatementDialog
      connectionId={connectionId ?? ''}
      queryKey={['tile', config, scope?.span, scope?.conditions]}
      read={async (signal) => {
        if (config?.configType === 'sql') return [writtenStatement(config['sqlTemplate'])]
        if (plan?.kind !== 'query') throw new Error(plan?.kind === 'none' ? plan.reason : 'This tile has no query.')
        if (plan.rows) return rowsOf(plan, plan.rows, data, signal)
        const asked = plan.requests.filter(({ earlier }) => earlier === 0)
        const read = asked.map(({ query }) => chartStatements(connectionId ?? '', query, sources, signal))
        return (await Promise.all(read)).flat()
      }}
      onClose={onClose}
    />
  )
}

function writtenStatement(template: unknown): ShownStatement {
  const statement = typeof template === 'string' ? template : ''
  return {
    title: 'Statement as it is written',
    statement,
    refused: statement.includes('$') ? 'Its macros and variables have values only in the dashboard.' : undefined,
  }
}

async function rowsOf(
  { requests, span }: QueryPlan,
  { kind, select }: TileRows,
  { connectionId, sources }: TileData,
  signal: AbortSignal,
): Promise<ShownStatement[]> {
  const series = requests[0]?.query.series[0]
  const source = sources.find(({ id }) => id === series?.sourceId)
  if (!series || !source) throw new Error('Source not found. It may have been deleted.')
  const { where = '', whereLanguage = 'lucene' } = series
  const isList = kind === 'search'
  const query = {
    span,
    where: writtenCondition(where, whereLanguage),
    whereLanguage,
    columns: isList ? columnsOf(select, source) : messageColumns(source),
    maxResults: isList ? maxListed : maxMessages,
  }
  const told = await searchStatements(connectionId ?? '', source, query, signal)
  return isList
    ? told
    : told.map((shownStatement) => ({ ...shownStatement, note: 'The page finds the patterns in these rows.' }))
}
