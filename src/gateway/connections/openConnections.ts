/** Opens the connections of a database. */
import type { Database } from '../database/database.ts'
import { SharedList } from '../database/sharedList.ts'
import { connectionRecord } from './connectionRecords.ts'
import { Connections } from './connections.ts'
import { openKeys, type ConsoleKeys, type KeyPlace } from './consoleKeys.ts'

export interface OpenConnections extends ConsoleKeys {
  connections: Connections
}

/**
 * @param seeded ids of connections whose secrets every start can provide again
 * @param database with the writes of a console, which ends them once it is replaced
 * @throws UnusableState if the key decrypts none of the stored secrets: nothing is changed
 */
export async function openConnections(
  place: KeyPlace,
  seeded: readonly string[] = [],
  database: Pick<Database, 'rows' | 'transact' | 'damaged'> = place.database,
): Promise<OpenConnections> {
  const keys = await openKeys(place, seeded)
  const list = await SharedList.open({ database, table: 'connections', schema: connectionRecord })
  return { ...keys, connections: new Connections(list, keys) }
}
