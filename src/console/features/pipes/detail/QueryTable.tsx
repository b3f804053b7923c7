import { Search } from 'lucide-react'
import { onConnection, paths } from '#console/paths/paths.ts'
import { pages } from '#console/paths/pages.ts'
import { useConnection, useFrameConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { useQueryConnection } from '#console/charting/queryConnection/useQueryConnection.ts'
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'

interface QueryTableProps {
  pipe: Pipe
  /** The table of the destination. */
  table: string
  /** Beside other buttons like it: the name of the table tells them apart. */
  named?: boolean
}

/**
 * Leads to the rows of a table that a pipe loads: to the search or the explorer of the connection that answers for this one,
 * or to the form of a source for the table, where there is none yet. Nothing without such a connection.
 */
export function QueryTable({ pipe, table, named = false }: QueryTableProps) {
  const connection = useConnection()
  const { connections } = useFrameConnection()
  const { connectionId, answering, sourceId } = useQueryConnection(connection)
  const partner = connections.find(({ id }) => id === connectionId)
  // Whether there is a source is not known yet.
  if (!partner || sourceId === undefined) return null
  // At the same address answers the stack itself, where each service has databases of its own.
  const isStack = partner.baseUrl === connection.baseUrl
  const name = pipe.destination?.database ?? 'default'
  const database = isStack && pipe.serviceId ? databaseOf(pipe.serviceId, name) : name
  const source = answering.find(({ from }) => from?.tableName === table && from.databaseName === database)
  const common = {
    startIcon: <Search size={14} aria-hidden />,
    size: 'small' as const,
    children: 'Query this table',
    ...(named && { 'aria-label': `Query ${table}` }),
  }
  if (!source) {
    return <LinkButton {...common} to={paths.newSource(partner.id)} search={{ database, table }} />
  }
  return source.kind === 'log' || source.kind === 'trace' ? (
    <LinkButton {...common} to={onConnection(pages.search.url, partner.id)} search={{ source: source.id }} />
  ) : (
    <LinkButton {...common} to={onConnection(pages.explorer.url, partner.id)} search={{ 'a.in': source.id }} />
  )
}
