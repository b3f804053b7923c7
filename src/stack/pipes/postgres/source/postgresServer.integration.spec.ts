/** Cancelled statements on a real PostgreSQL server. */
import { setImmediate as turn } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { postgresPipeInput } from '../../../testing/postgres/postgresPipes.ts'
import { newPipe } from '../../model/newPipe.ts'
import { openPostgres, type PostgresServer } from './postgresServer.ts'

/** The connections of a pipe with these settings. */
const connections = 5
const settings = { initialLoadParallelism: 1, snapshotNumberOfParallelTables: 1 }

let gate: Client
let server: PostgresServer
beforeEach(async () => {
  gate = new Client(await newDatabase())
  await gate.connect()
  const input = postgresPipeInput(gate.port, [], settings, { database: gate.database })
  const checkHost = async () => ({ problem: null, addresses: ['127.0.0.1'] }) as const
  server = await openPostgres(newPipe('service', input, '2026-01-01'), checkHost)
})
afterEach(async () => {
  // Waiting work goes on.
  await gate.end()
  await server.close()
})

/** A statement that waits until a gate opens. @returns the number of its connection at the server */
async function waitsAt(number: number, signal?: AbortSignal): Promise<string | null> {
  const select = `SELECT pg_backend_pid()::text AS pid FROM pg_advisory_xact_lock_shared(${number})`
  const [row] = await server.query<{ pid: string | null }>(select, [], signal)
  return row?.pid ?? null
}
const waiting = async (count: number) => {
  const select = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  await expect.poll(async () => (await gate.query(select)).rowCount, { interval: 20 }).toBe(count)
}

test('a cancellation that comes late does not reach the next statement of the connection', async () => {
  await gate.query('SELECT pg_advisory_lock(gate) FROM generate_series(1, 3) gate')
  const others = [waitsAt(1), waitsAt(1), waitsAt(1), waitsAt(2)]
  const stop = new AbortController()
  const stopped = waitsAt(3, stop.signal)
  await waiting(connections)
  const next = waitsAt(1)
  await turn()
  // The cancellation needs a connection, and comes after the next statement.
  stop.abort()
  await turn()
  await gate.query('SELECT pg_advisory_unlock(3)')
  const pid = await stopped
  await waiting(connections)
  await gate.query('SELECT pg_advisory_unlock(2)')
  await others[3]
  // Done after the cancellation.
  await server.query('SELECT 1')
  await gate.query('SELECT pg_advisory_unlock(1)')
  expect(await next).not.toBe(pid)
  await Promise.all(others)
})

test('a statement that is stopped before it has a connection is not carried out', async () => {
  const stop = new AbortController()
  const statement = server.query('CREATE TABLE made ()', [], stop.signal)
  stop.abort()
  await expect(statement).rejects.toThrow('aborted')
  const { rowCount } = await gate.query("SELECT 1 FROM pg_class WHERE relname = 'made'")
  expect(rowCount).toBe(0)
})
