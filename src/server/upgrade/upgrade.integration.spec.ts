/**
 * A data directory that commit 3e82f0c3 wrote is opened without loss. `data-3e82f0c3.tar.gz` is such a directory, filled through the
 * product of that commit: records of every kind with their history, and a million log records. `data-3e82f0c3.json` has the
 * rows of each table. A migration that moves rows changes this file, and says why; one that loses rows fails here.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApprovalStore } from '#gateway/approvals/approvalStore.ts'
import { AuditStore } from '#gateway/audit/auditStore.ts'
import { OwnWrites } from '#gateway/cluster/ownWrites.ts'
import { openConnections } from '#gateway/connections/openConnections.ts'
import { openDatabase, type Database } from '#gateway/database/database.ts'
import { SealedJson } from '#gateway/database/sealedJson.ts'
import { historyParts } from '#gateway/history/openHistory.ts'
import type { Statements } from '#node/database/statements.ts'
import { matchesPassword } from '#node/secrets/passwordHash.ts'
import { alertRows } from '#stack/documents/alertRows.ts'
import { dashboardRows } from '#stack/documents/dashboardRows.ts'
import { webhookRows } from '#stack/documents/webhookRows.ts'
import { pipeRows } from '#stack/pipes/model/pipeRows.ts'
import { readIdentity } from '#stack/store/identity.ts'
import { openStore, type Store } from '#stack/store/store.ts'
import { openEngine } from '#stack/telemetry/engine/engine.ts'
import { ensureTables } from '#stack/telemetry/tables.ts'

const fixture = join(import.meta.dirname, 'data-3e82f0c3')
/** Rows of each table of both databases. */
const summary: Record<'console' | 'stack', Record<string, number>> = JSON.parse(readFileSync(`${fixture}.json`, 'utf8'))

const dataDir = mkdtempSync(join(tmpdir(), 'upgrade-'))
beforeAll(() => void execFileSync('tar', ['-xzf', `${fixture}.tar.gz`, '-C', dataDir, '--no-same-owner']))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

async function rowsOfTables({ rows }: Pick<Statements, 'rows'>, tables: Record<string, number>) {
  const counts: Record<string, number> = {}
  for (const table of Object.keys(tables)) {
    const [row] = await rows(`SELECT count(*) AS count FROM ${table}`)
    counts[table] = Number(row?.['count'])
  }
  return counts
}

describe('the records of the console', () => {
  let database: Database
  beforeAll(async () => void (database = await openDatabase(dataDir)))
  afterAll(() => database.close())

  test('are all there', async () => {
    expect(await rowsOfTables(database, summary.console)).toEqual(summary.console)
  })

  test('have people with their passwords, and an audit log that verifies', async () => {
    const people = await database.rows('SELECT name, role, password FROM people ORDER BY name')
    expect(people.map(({ name, role }) => `${String(name)}: ${String(role)}`)).toEqual([
      'Eva: viewer',
      'Mira: administrator',
      'Tom: administrator',
    ])
    expect(await matchesPassword(String(people[1]?.['password']), 'a-password-of-the-fixture')).toBe(true)
    const verified = await new AuditStore(database).verify()
    expect(verified).toMatchObject({ entries: summary.console['audit'] })
    expect(verified.fault).toBeUndefined()
  })

  test('have connections with their keys, and every version of every record', async () => {
    const { connections, dataKey } = await openConnections({ database, dataDir })
    const [production] = await database.rows("SELECT id FROM connections WHERE record LIKE '%Production%'")
    expect(JSON.stringify(connections.open(String(production?.['id'])))).toContain('secret-of-production')
    const { versions } = historyParts(database, new SealedJson(dataKey), () => {})
    const hashes = (await database.rows('SELECT hash FROM versions')).map(({ hash }) => String(hash))
    const read = await Promise.all(hashes.map((hash) => versions.read(hash)))
    const names = read.map((version) => (version as { name?: string }).name) // records have names
    for (const edition of [1, 2, 3, 4, 5]) expect(names).toContain(`Dashboard 3, edition ${edition}`)
    expect(read).toHaveLength(summary.console['versions'] ?? 0)
  })

  test('have the approval settings, and the notifications under their new names', async () => {
    const { dataKey } = await openConnections({ database, dataDir })
    const settings = new ApprovalStore(new OwnWrites(database), new SealedJson(dataKey))
    const [row] = await database.rows('SELECT connection_id FROM approval_settings')
    const { twoPersonApproval, receiver } = await settings.settings(String(row?.['connection_id']))
    expect({ twoPersonApproval, isNotified: receiver !== null }).toEqual({ twoPersonApproval: true, isNotified: true })
    const notices = await database.rows('SELECT event FROM approval_notices ORDER BY event')
    expect(notices.map(({ event }) => event)).toEqual([
      'changeRequest.approved',
      'changeRequest.opened',
      'changeRequest.opened',
      'twoPersonApproval.changed',
    ])
  })
})

describe('the records of the stack', () => {
  let store: Store
  beforeAll(async () => void (store = await openStore({ file: join(dataDir, 'stack.db') })))
  afterAll(() => store.close())

  test('are all there', async () => {
    expect(await rowsOfTables(store, summary.stack)).toEqual(summary.stack)
  })

  test('have their content and their secrets', async () => {
    const dashboards = (await dashboardRows.all(store)).map(({ name }) => name)
    expect(dashboards).toEqual(expect.arrayContaining(['Dashboard 5, approved', 'Dashboard 12', 'Stack health']))
    const webhook = (await webhookRows.all(store)).find(({ name }) => name === 'On call')
    expect(webhook).toMatchObject({
      url: 'http://127.0.0.1:18999/alerts/secret-path-1',
      headers: { 'X-Token': 'secret-header' },
    })
    expect(JSON.stringify(await pipeRows.all(store))).toContain('secret-of-kafka')
    expect((await readIdentity(store))?.keyId).toBe('1dUNA3iDKN9YO2xKGsB3')
  })

  test('have alerts with their history', async () => {
    const alerts = await alertRows.all(store)
    expect(Object.fromEntries(alerts.map(({ name, state }) => [name, state]))).toEqual({
      'Stack returns errors': 'OK',
      'Payments fail': 'ALERT',
      'Far too many errors': 'OK',
      Silenced: 'ALERT',
    })
    const id = alerts.find(({ name }) => name === 'Payments fail')?.id ?? ''
    const sql = 'SELECT state FROM alert_evaluations WHERE alert_id = ? ORDER BY ended'
    const states = (await store.rows(sql, [id])).map(({ state }) => state)
    expect(states).toEqual(['OK', 'ALERT', 'ALERT', 'ALERT', 'ALERT'])
  })
})

test('the telemetry is all there', async () => {
  const engine = await openEngine({ dataDir })
  try {
    // As long as the fixture may become old: rows beyond the retention are removed.
    await ensureTables(engine, 3650)
    const [logs] = await engine.query(
      `SELECT toString(count()) AS rows, toString(countIf(Body = 'order 7')) AS sevens, uniqExact(ServiceName) AS services
        FROM otel_logs WHERE toDate(Timestamp) = '2026-11-20'`,
    )
    expect(logs).toEqual({ rows: '1000000', sevens: '62500', services: '4' })
    const counted = async (table: string) =>
      Number((await engine.query<{ rows: string }>(`SELECT toString(count()) AS rows FROM ${table}`))[0]?.rows)
    const telemetry = ['otel_logs', 'otel_traces', 'otel_metrics_gauge', 'otel_metrics_sum', 'otel_metrics_histogram']
    expect(await Promise.all(telemetry.map(counted))).toEqual([1_000_276, 213, 908, 283, 186])
    expect(await counted('service_e3b3263c_426b_4a72_83b5_99efb1cd1243.orders')).toBe(500)
    // Names that came later have the rows of then, too.
    const [traces] = await engine.query<{ traces: string }>(
      `SELECT toString(uniqExact(TraceId)) AS traces FROM otel_traces WHERE TraceId != ''`,
    )
    expect(await counted('otel_traces_trace_id_ts')).toBe(Number(traces?.traces))
    const day = "WHERE TimestampTime >= '2026-11-20 00:00:00' AND TimestampTime < '2026-11-21 00:00:00'"
    expect(await counted(`otel_logs ${day}`)).toBe(1_000_000)
  } finally {
    await engine.close()
  }
})
