/** The records of a connection as one zip: exported from one stack, imported into another one, and taken back. */
import { unzipSync, zipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exportedKinds, exportedKindsHeader, type FileImportPlan } from '#contract/console/recordFiles.ts'
import type { RunDetail } from '#contract/console/runs.ts'
import { startEnvironments, type Environments } from './testing/environments.ts'

let environments: Environments
beforeEach(async () => {
  environments = await startEnvironments()
})
afterEach(() => environments.close())

type Side = 'staging' | 'production'
type Files = Record<string, string>

const kinds = ['/sources', '/webhooks', '/saved-searches', '/dashboards', '/alerts']
const secretUrl = 'https://hooks.example.com/services/T0/SECRET-TOKEN'

const routingKey = 'R0123456789abcdef0123456789abcde'
const bodyWith = (key: string) => `{"routing_key":"${key}","event_action":"trigger"}`

/** A dashboard with an alert on its second tile, a saved search and a webhook with a secret address and a key. */
async function fill(side: Side): Promise<void> {
  const { openSource, sourceIds, webhookId } = environments[side]
  const post = async (path: string, body: object) => {
    const { status, json, text } = await openSource('POST', path, body)
    expect(status, text).toBe(200)
    return json.data
  }
  const config = (where: string) => ({
    displayType: 'line',
    sourceId: sourceIds['log'],
    select: [{ aggFn: 'count', where }],
  })
  const tile = (name: string, y: number) => ({ name, x: 0, y, w: 6, h: 3, config: config(name) })
  const { id, tiles } = await post('/dashboards', { name: 'Shop', tiles: [tile('Errors', 0), tile('Pool', 3)] })
  const channel = { type: 'webhook', webhookId }
  const alert = { source: 'tile', dashboardId: id, tileId: tiles[1].id, name: 'Pool exhausted', threshold: 4 }
  await post('/alerts', { ...alert, thresholdType: 'above', interval: '5m', channel })
  await post('/saved-searches', { name: 'Slow', sourceId: sourceIds['log'], where: 'slow' })
  await post('/webhooks', { name: 'On call', service: 'generic', url: secretUrl, body: bodyWith(routingKey) })
}

async function exported(connection: string): Promise<Files> {
  const { status, bytes } = await environments.download(`/api/connections/${connection}/export`)
  expect(status).toBe(200)
  const texts = Object.entries(unzipSync(bytes)).map(([path, content]) => [path, new TextDecoder().decode(content)])
  return Object.fromEntries(texts)
}

/** @param files to zip, folders among them */
function zipped(files: Files): string {
  const encoder = new TextEncoder()
  const zip = zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)])))
  return Buffer.from(zip).toString('base64')
}

async function planned(connection: string, input: object): Promise<FileImportPlan> {
  const { status, json } = await environments.call('POST', `/api/connections/${connection}/file-imports/plan`, input)
  expect(status, JSON.stringify(json)).toBe(200)
  return json as FileImportPlan // the gateway's own response
}

async function settled(id: string): Promise<RunDetail> {
  for (;;) {
    const { json } = await environments.call('GET', `/api/runs/${id}`)
    if (json.state !== 'running') return json as RunDetail // the gateway's own response
    await new Promise((next) => setTimeout(next, 10))
  }
}

async function imported(connection: string, input: object): Promise<RunDetail> {
  const plan = await planned(connection, input)
  expect(plan.ready, JSON.stringify(plan)).toBe(true)
  const body = { ...input, digests: { [connection]: plan.digest } }
  const { json } = await environments.call('POST', `/api/connections/${connection}/file-imports`, body)
  const run = await settled(json.runs[0])
  expect(run, JSON.stringify(run.steps)).toMatchObject({ state: 'done', kind: 'fileImport' })
  return run
}

async function undone(run: RunDetail): Promise<void> {
  const { json: plan } = await environments.call('POST', `/api/runs/${run.id}/undo/plan`)
  const { json } = await environments.call('POST', `/api/runs/${run.id}/undo`, { digest: plan.digest })
  expect(await settled(json.runs[0])).toMatchObject({ state: 'done' })
}

/** Deletes everything but the sources: they tell which data connection the deployment has. */
async function clear(side: Side): Promise<void> {
  const { openSource } = environments[side]
  for (const path of kinds.slice(1).toReversed()) {
    for (const { id } of (await openSource('GET', path)).json.data) await openSource('DELETE', `${path}/${id}`)
  }
}

/** The names of all records of a stack. */
async function names(side: Side): Promise<string[][]> {
  const lists = await Promise.all(kinds.map((path) => environments[side].openSource('GET', path)))
  return lists.map(({ json }) => json.data.map(({ name }: { name: string }) => name).toSorted())
}

const changed = (plan: FileImportPlan) =>
  plan.steps.filter(({ action }) => action !== 'same').map(({ action, name }) => `${action} ${name}`)

test('an export has every record, without secrets, and changes nothing where it came from', async () => {
  await fill('production')
  const { headers, bytes } = await environments.download('/api/connections/production/export')
  expect(headers.get('content-type')).toBe('application/zip')
  const listed = exportedKinds.parse(JSON.parse(decodeURIComponent(headers.get(exportedKindsHeader) ?? '')))
  expect(listed.map(({ kind }) => kind)).toEqual(['sources', 'webhooks', 'savedSearches', 'dashboards', 'alerts'])
  const files = await exported('production')
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['README.txt', 'dashboards/', 'dashboards/shop.yaml', 'alerts/pool-exhausted.yaml']),
  )
  expect(files['webhooks/on-call.yaml']).toContain('url: ${STACK_WEBHOOK_URL_ON_CALL}')
  expect(files['webhooks/on-call.yaml']).toContain('${STACK_WEBHOOK_ROUTING_KEY_ON_CALL}')
  expect(Object.values(files).join('\n')).not.toMatch(`SECRET-TOKEN|${routingKey}`)
  const zip = Buffer.from(bytes).toString('base64')
  const plan = await planned('production', { zip, prune: true })
  expect(changed(plan)).toEqual([])
  expect(plan).toMatchObject({ files: 10, counts: { same: 10 } })
})

test('another deployment gets everything, and loses it again with one click', { timeout: 60_000 }, async () => {
  await fill('production')
  const zip = zipped(await exported('production'))
  await clear('staging')
  const blocked = await planned('staging', { zip })
  const path = 'webhooks/on-call.yaml'
  const keyId = `${path}#STACK_WEBHOOK_ROUTING_KEY_ON_CALL`
  expect(blocked.secrets).toEqual(
    expect.arrayContaining([
      { id: path, name: 'On call', of: 'url', isKnown: false },
      { id: keyId, name: 'On call', of: 'routingKey', isKnown: false },
    ]),
  )
  expect(blocked.ready).toBe(false)
  const urls = Object.fromEntries(blocked.secrets.map(({ id }) => [id, secretUrl]))
  const { [keyId]: _, ...withoutKey } = urls
  expect(
    (await planned('staging', { zip, secrets: withoutKey })).steps.flatMap(({ blocked: why }) => why ?? []),
  ).toEqual(['needs its integration key, which the file does not have'])
  const secrets = { ...urls, [keyId]: 'another-key' }
  const run = await imported('staging', { zip, secrets })
  expect(await names('staging')).toEqual(await names('production'))
  const { data } = (await environments.staging.openSource('GET', '/webhooks')).json
  expect(data.find(({ name }: { name: string }) => name === 'On call')).toMatchObject({
    url: secretUrl,
    body: bodyWith('another-key'),
  })
  expect(changed(await planned('staging', { zip, prune: true }))).toEqual([])
  await undone(run)
  expect((await names('staging')).slice(1).flat()).toEqual([])
})

test('a stored key stays with its URL, and is not sent to another host by a file', { timeout: 60_000 }, async () => {
  await fill('production')
  const files = await exported('production')
  const file = (files['webhooks/on-call.yaml'] ?? '').replace('event_action', 'changed_action')
  const only = (text: string) => ({ zip: zipped({ 'webhooks/on-call.yaml': text }) })
  await imported('production', only(file))
  const stored = async () =>
    (await environments.production.openSource('GET', '/webhooks')).json.data.find(
      ({ name }: { name: string }) => name === 'On call',
    )
  expect((await stored()).body).toBe(bodyWith(routingKey).replace('event_action', 'changed_action'))
  const moved = only(file.replace('${STACK_WEBHOOK_URL_ON_CALL}', 'https://elsewhere.example/collect'))
  const plan = await planned('production', moved)
  expect(plan.ready).toBe(false)
  expect(plan.secrets).toMatchObject([{ of: 'routingKey', isKnown: false }])
})

test('records that the zip does not have are deleted only if somebody asks for it, and come back', async () => {
  const zip = zipped(await exported('production'))
  await fill('production')
  const before = await names('production')
  expect(changed(await planned('production', { zip }))).toEqual([])
  const run = await imported('production', { zip, prune: true })
  expect(run.steps.map(({ action, name }) => `${action} ${name}`)).toEqual([
    'delete Pool exhausted',
    'delete Shop',
    'delete Slow',
    'delete On call',
  ])
  await undone(run)
  expect(await names('production')).toEqual(before)
  // Kinds without a folder are not part of the import.
  const files = Object.entries(await exported('production')).filter(([path]) => !path.startsWith('alerts/'))
  expect(changed(await planned('production', { zip: zipped(Object.fromEntries(files)), prune: true }))).toEqual([])
})

test('what a deployment cannot have is left out, with what needs it, and nothing of it is deleted', async () => {
  await fill('production')
  const zip = zipped(await exported('production'))
  // The managed variant offers no webhooks under these names.
  const blocked = await planned('cloud', { zip, prune: true })
  expect(blocked.ready).toBe(false)
  const plan = await planned('cloud', { zip, prune: true, leaveOut: true })
  expect(plan.leftOut.map(({ name }) => name).toSorted()).toEqual(['Local example', 'On call', 'Pool exhausted'])
  expect([plan.ready, changed(plan)]).toEqual([true, []])
})

test('a plan is carried out only as it was shown, and not on a read-only connection', async () => {
  await fill('production')
  const zip = zipped(await exported('production'))
  await environments.production.openSource('POST', '/dashboards', { name: 'By hand', tiles: [] })
  const { digest } = await planned('production', { zip, prune: true })
  const start = (digests: object) =>
    environments.call('POST', '/api/connections/production/file-imports', { zip, prune: true, digests })
  await environments.production.openSource('POST', '/dashboards', { name: 'Another', tiles: [] })
  expect(await start({ production: digest })).toMatchObject({ status: 409, json: { code: 'conflict' } })
  const fresh = await planned('production', { zip, prune: true })
  await environments.call('PUT', '/api/connections/production/read-only', { readOnly: true })
  expect(await start({ production: fresh.digest })).toMatchObject({ status: 403, json: { code: 'readOnly' } })
  expect((await names('production'))[3]).toContain('By hand')
})
