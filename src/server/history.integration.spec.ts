/** The history of records: what this console writes, what others write, and what is gone. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Change, ChangePage, DeletedRecord, HistoryTotals, RecordVersion } from '#contract/console/history.ts'
import { program } from '#node/testing/program.ts'
import { startEnvironments, type Environments } from './testing/environments.ts'

let environments: Environments
let dashboardId: string
beforeAll(async () => {
  environments = await startEnvironments()
})
afterAll(() => environments.close())

const tile = { name: 'Errors', x: 0, y: 0, w: 6, h: 3, config: { displayType: 'markdown', markdown: 'one' } }
const through = (connectionId: string, method: string, path: string, body?: unknown) =>
  environments.call(method, `/api/c/${connectionId}/stack${path}`, body)

async function changes(connectionId = 'production', query = ''): Promise<Change[]> {
  const { json } = await environments.call('GET', `/api/connections/${connectionId}/history${query}`)
  return (json as ChangePage).items // the gateway's own response
}

async function versions(kind: string, id: string): Promise<RecordVersion[]> {
  const { json } = await environments.call('GET', `/api/connections/production/history/records/${kind}/${id}`)
  return json as RecordVersion[] // the gateway's own response
}

test('what is there already is not a change', async () => {
  await environments.call('POST', '/api/connections/production/history/snapshot')
  expect(await changes()).toEqual([])
  const { json } = await environments.call('GET', '/api/connections/production/history/totals')
  expect(json as HistoryTotals).toMatchObject({ records: 6, versions: 6, deleted: 0, snapshotMinutes: 15 })
})

test('a record that is created and saved here has two versions', async () => {
  const created = await through('production', 'POST', '/dashboards', { name: 'Shop', tiles: [tile] })
  dashboardId = created.json.result.id
  const { id: _, ...body } = created.json.result
  await through('production', 'PUT', `/dashboards/${dashboardId}`, { ...body, name: 'Shop overview' })
  await through('production', 'GET', `/dashboards/${dashboardId}`)
  const [saved, first] = await changes()
  expect(saved).toMatchObject({
    action: 'updated',
    cause: 'console',
    outcome: 'done',
    name: 'Shop overview',
    fields: 1,
  })
  expect(saved).toMatchObject({ recordId: dashboardId, before: first?.after })
  expect(saved?.request).toEqual({ method: 'PUT', path: `/api/v2/dashboards/${dashboardId}` })
  expect(first).toMatchObject({ action: 'created', name: 'Shop', kind: 'dashboards' })
  expect((await versions('dashboards', dashboardId)).map(({ number, isCurrent }) => [number, isCurrent])).toEqual([
    [2, true],
    [1, false],
  ])
})

test('a version is shown as it was', async () => {
  const [, first] = await versions('dashboards', dashboardId)
  const { json } = await environments.call('GET', `/api/connections/production/history/versions/${first?.version}`)
  expect(json).toMatchObject({ kind: 'dashboards', document: { name: 'Shop', tiles: [{ name: 'Errors' }] } })
})

test('a refused write is an entry with its reason', async () => {
  const { status } = await through('production', 'PUT', `/dashboards/${dashboardId}`, {
    name: 'Shop',
    tiles: [{ ...tile, x: 99 }],
  })
  expect(status).toBe(422)
  expect((await changes())[0]).toMatchObject({
    action: 'updated',
    outcome: 'refused',
    status: 400,
    name: 'Shop overview',
  })
})

test('changes by others are found: created, changed, gone', async () => {
  const { openSource } = environments.production
  const outside = (await openSource('POST', '/dashboards', { name: 'Theirs', tiles: [] })).json.data.id as string
  await through('production', 'GET', '/dashboards')
  await openSource('PUT', `/dashboards/${outside}`, { name: 'Theirs 2', tiles: [tile] })
  await through('production', 'GET', '/dashboards')
  await openSource('DELETE', `/dashboards/${outside}`)
  await through('production', 'GET', '/dashboards')
  const found = (await changes()).slice(0, 3)
  expect(found.map(({ action, cause, outcome, name }) => [action, cause, outcome, name])).toEqual([
    ['deleted', 'outside', 'found', 'Theirs 2'],
    ['updated', 'outside', 'found', 'Theirs 2'],
    ['created', 'outside', 'found', 'Theirs'],
  ])
  // The name and the tile, and not that it was updated.
  expect(found[1]?.fields).toBe(2)
  const { json } = await environments.call('GET', '/api/connections/production/history/deleted')
  expect(json as DeletedRecord[]).toMatchObject([{ name: 'Theirs 2', kind: 'dashboards', cause: 'outside' }])
})

test('a change through the other variant of the same deployment is not outside of this console', async () => {
  await environments.call('POST', '/api/connections/cloud/history/snapshot')
  const { json } = await through('cloud', 'GET', `/dashboards/${dashboardId}`)
  const { id: _, ...body } = json.result
  await through('cloud', 'PUT', `/dashboards/${dashboardId}`, { ...body, name: 'Shop cloud' })
  await through('cloud', 'GET', `/dashboards/${dashboardId}`)
  await through('production', 'GET', '/dashboards')
  expect((await changes())[0]).toMatchObject({
    cause: 'console',
    connectionId: 'cloud',
    name: 'Shop cloud',
    outcome: 'done',
  })
})

test('alerts that go with their tile are not changes by others', async () => {
  const { production } = environments
  const { json } = await through('production', 'POST', '/dashboards', {
    name: 'Watched',
    tiles: [
      { ...tile, config: { displayType: 'line', sourceId: production.sourceIds['log'], select: [{ aggFn: 'count' }] } },
    ],
  })
  const { id, tiles } = json.result
  const alert = { source: 'tile', dashboardId: id, tileId: tiles[0].id, name: 'Errors', threshold: 1 }
  const channel = { type: 'webhook', webhookId: production.webhookId }
  await through('production', 'POST', '/alerts', { ...alert, thresholdType: 'above', interval: '5m', channel })
  await through('production', 'GET', '/alerts')
  await through('production', 'DELETE', `/dashboards/${id}`)
  await through('production', 'GET', '/alerts')
  const [gone, dashboard] = await changes()
  expect(gone).toMatchObject({ kind: 'alerts', action: 'deleted', cause: 'console', outcome: 'done', name: 'Errors' })
  expect(dashboard).toMatchObject({ kind: 'dashboards', action: 'deleted', cause: 'console', outcome: 'done' })
})

test('the filter and the next page', async () => {
  const outside = await changes('production', '?cause=outside&kind=dashboards')
  expect(outside).toHaveLength(3)
  const [newest] = outside
  expect(await changes('production', `?cause=outside&limit=1&before=${newest?.id}`)).toEqual([outside[1]])
})

test('it survives a restart', async () => {
  const before = await changes()
  await environments.restart()
  expect(await changes()).toEqual(before)
  await through('production', 'GET', '/dashboards')
  expect(await changes()).toEqual(before)
})

test('secrets are neither shown nor stored in clear', async () => {
  const url = 'https://hooks.example.com/services/T0000/SECRET-OF-A-HOOK'
  const created = await through('production', 'POST', '/webhooks', { name: 'Hook', service: 'generic', url })
  await through('production', 'GET', '/webhooks')
  const [version] = await versions('webhooks', created.json.result.id)
  const { json } = await environments.call('GET', `/api/connections/production/history/versions/${version?.version}`)
  expect(JSON.stringify(json)).not.toContain('SECRET-OF-A-HOOK')
  expect(json.document.name).toBe('Hook')
  await environments.restart()
  const bytes = readFileSync(join(environments.dataDir, 'console.db')).toString('latin1')
  expect(bytes).not.toContain('SECRET-OF-A-HOOK')
  expect(bytes).not.toContain('Shop overview Errors')
})

test('it can be read after the key of the data directory was replaced', async () => {
  const before = await changes()
  const [newest] = await versions('dashboards', dashboardId)
  const address = `/api/connections/production/history/versions/${newest?.version}`
  const document = await environments.call('GET', address)
  const { dataDir } = environments
  const stored = (name: string) => readFileSync(join(dataDir, name))
  await environments.restart(() => {
    const key = stored('console.key')
    const { file, execArgv } = program(join(import.meta.dirname, 'rotateKey.ts'))
    const env = { ...process.env, DATA_DIR: dataDir }
    const { stdout, stderr } = spawnSync(process.execPath, [...execArgv, file], { env, encoding: 'utf8' })
    expect(stdout, stderr).toMatch(/^Encrypted 3 stored keys with a new key\./)
    expect(stored('console.key').equals(key)).toBe(false)
  })
  expect(await changes()).toEqual(before)
  expect(await environments.call('GET', address)).toEqual(document)
})
