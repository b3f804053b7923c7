/** Removes damaged records of the console, for administrators: accounts and ways to sign in that let nobody in, and connections. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { damagedRemoval } from '#contract/wire/damage.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import { removableTables } from '#contract/console/removableTables.ts'
import type { DamagedRow } from '#node/database/damagedRows.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Connections } from './connections/connections.ts'
import type { Database } from './database/database.ts'
import { storedTables, type StoredTable } from './database/storedRows.ts'
import { parsed } from './http/requests.ts'

interface DamageDependencies {
  database: Database
  connections: Connections
  /** Deletes an account with all that belongs to it. */
  removePerson: (id: string) => Promise<unknown>
  /** Called with the ID of a connection that was removed: deletes what else is stored of it. */
  onConnectionRemoved: (id: string) => Promise<void>
}

export function registerDamagedRecords(app: FastifyInstance, parts: DamageDependencies): void {
  app.delete(pagePaths.damagedRecords, (request) => remove(parts, request))
}

async function remove(
  { database, connections, removePerson, onConnectionRemoved }: DamageDependencies,
  request: FastifyRequest,
) {
  const { table, id } = parsed(damagedRemoval, request.body, 'The record')
  request.auditAbout = { connectionId: null, subject: `${id} of the table ${table}` }
  const damage = database.damaged.all().find((damagedRow) => damagedRow.table === table && damagedRow.id === id)
  if (!damage) throw failure('notFound', `The table ${table} has no damaged record ${id}.`)
  if (!Object.hasOwn(removableTables, table)) {
    throw failure('blocked', `Records of the table ${table} cannot be removed here. Restore a backup.`)
  }
  if (table === 'people') await removePerson(id)
  else if (table === 'connections') {
    await connections.removeDamaged(id)
    await onConnectionRemoved(id)
  } else await database.write(deletionOf(damage))
  database.damaged.forget(table, id)
  return {}
}

function deletionOf({ table, key }: DamagedRow) {
  // `StoredRows` reports no other tables.
  const columns = storedTables[table as StoredTable]
  return { sql: `DELETE FROM ${table} WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')}`, args: key }
}
