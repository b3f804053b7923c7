/** What may be done, and why not. */
import type { Connection } from '#contract/connections.ts'

/** Why nothing can be written on a connection; undefined where it can. */
export function lockReason(connection: Connection): string | undefined {
  return connection.readOnly ? 'This connection is read-only. Allow writes from the connection menu.' : undefined
}
