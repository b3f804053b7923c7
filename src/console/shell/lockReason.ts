/** Why a connection cannot be changed. */
import type { Connection } from '#contract/console/connections.ts'

/** Why writes are blocked on a connection; undefined if they are allowed. */
export function lockReason(connection: Connection): string | undefined {
  // A person who may not write may not allow it either.
  if (connection.writesRefused !== undefined) return connection.writesRefused
  if (connection.approvalRefused !== undefined && !connection.breakGlass?.isMine) return connection.approvalRefused
  return connection.readOnly ? 'This connection is read-only. Allow writes from the connection menu.' : undefined
}
