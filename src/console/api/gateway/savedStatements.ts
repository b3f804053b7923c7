/** The statements that people keep on a connection. */
import { queryOptions } from '@tanstack/react-query'
import { fillPath } from '#contract/wire/kernel.ts'
import {
  savedStatementPaths,
  type SavedStatement,
  type SavedStatementInput,
} from '#contract/console/savedStatements.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

export const savedStatementsQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['savedStatements', connectionId],
    queryFn: ({ signal }) =>
      send<SavedStatement[]>(fillPath(savedStatementPaths.statements, { connectionId }), { signal }),
  })

export const saveStatement = (connectionId: string, body: SavedStatementInput) =>
  refetchAfter(
    connectionId,
    send<SavedStatement>(fillPath(savedStatementPaths.statements, { connectionId }), { method: 'POST', body }),
  )

/** Changes a statement as it was read. */
export const changeStatement = (connectionId: string, read: SavedStatement, body: SavedStatementInput) =>
  refetchAfter(connectionId, send<SavedStatement>(pathOf(connectionId, read), { method: 'PUT', body }))

export const deleteStatement = (connectionId: string, read: SavedStatement) =>
  refetchAfter(connectionId, send(pathOf(connectionId, read), { method: 'DELETE' }))

/** Notes that a statement is run as it is saved. The list is read again when it is shown next. */
export async function noteUse(connectionId: string, { id }: SavedStatement): Promise<void> {
  await send(fillPath(savedStatementPaths.uses, { connectionId, statementId: id }), { method: 'POST', mutates: false })
  await queryClient.invalidateQueries({ ...savedStatementsQuery(connectionId), refetchType: 'none' })
}

const pathOf = (connectionId: string, { id, version }: SavedStatement) =>
  `${fillPath(savedStatementPaths.statement, { connectionId, statementId: id })}?version=${version}`

/** Reads the list again, however the change ended. */
async function refetchAfter<T>(connectionId: string, change: Promise<T>): Promise<T> {
  try {
    return await change
  } finally {
    await queryClient.invalidateQueries(savedStatementsQuery(connectionId))
  }
}
