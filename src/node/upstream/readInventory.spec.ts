/** Reading the records of a deployment, and lists that could not be read. */
import { expect, test } from 'vitest'
import type { Variant } from '#contract/wire/kernel.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import { Deployments } from './deployments.ts'
import { createEgress } from './egressGuard.ts'
import { readInventory } from './readInventory.ts'
import { defaultDeadlines, Upstream, type RawReply, type UpstreamRequest } from './upstream.ts'
import { credential, type UpstreamTarget } from './upstreamTarget.ts'

const json = (body: object, status = 200): RawReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(body),
})
const noRoute: RawReply = { status: 404, headers: { 'content-type': 'text/html' }, text: '<pre>Cannot GET</pre>' }

/** A deployment with empty lists, and with this response to a request for its data connections. */
class Scripted extends Upstream {
  readonly paths: string[] = []
  readonly #connections: RawReply

  constructor(connections: RawReply) {
    super(createEgress(defaultDeadlines))
    this.#connections = connections
  }

  override async send(_: UpstreamTarget, { path }: UpstreamRequest): Promise<RawReply> {
    this.paths.push(path)
    return path.endsWith('/connections') ? this.#connections : { ...json({ data: [], meta: { total: 0 } }), took: 7 }
  }
}

const target = (variant: Variant): UpstreamTarget => ({
  connectionId: 'one',
  revision: '1',
  variant,
  baseUrl: 'http://deployment.example',
  organizationId: 'o',
  serviceId: 's',
  names: namingProfiles.neutral,
  readOnly: false,
  allowPrivate: true,
  ...credential(variant, { accessKey: 'k', keyId: 'k', keySecret: 's' }),
})

async function read(connections: RawReply, variant: Variant = 'openSource') {
  const upstream = new Scripted(connections)
  const { dataConnections } = await readInventory(new Deployments(upstream, undefined, noRetries), target(variant), {
    priority: 'user',
  })
  return { dataConnections, paths: upstream.paths }
}

const noRetries = { retries: [], readBacks: [], wait: 0 }

test('reads each list once, and of data connections only their names', async () => {
  const row = { id: 'c1', name: 'Engine', host: 'http://db.example:8123', username: 'default', team: 't' }
  const { dataConnections, paths } = await read(json({ data: [row, { id: 'c2', name: '' }] }))
  expect(dataConnections).toEqual([
    { id: 'c1', name: 'Engine' },
    { id: 'c2', name: 'Untitled' },
  ])
  expect(paths.map((path) => path.replace('/api/v2/', '')).toSorted()).toEqual([
    'alerts',
    'connections',
    'dashboards',
    'saved-searches',
    'sources',
    'webhooks',
  ])
})

test('a deployment without a list of data connections has none', async () => {
  expect((await read(noRoute)).dataConnections).toBeUndefined()
})

test('data connections that could not be read are not taken for none', async () => {
  expect((await read(json({ message: 'down' }, 500))).dataConnections).toMatchObject({
    state: 'failed',
    reason: 'The deployment failed (500).',
  })
})

test('a managed deployment is not asked for data connections', async () => {
  const { dataConnections, paths } = await read(noRoute, 'managed')
  expect(dataConnections).toBeUndefined()
  expect(paths).toHaveLength(5)
})

test('says how long each request took, whatever it waited for before', async () => {
  const deployments = new Deployments(new Scripted(noRoute), undefined, noRetries)
  const took: number[] = []
  await readInventory(deployments, target('managed'), { priority: 'user', onReply: (time) => took.push(time) })
  expect(took).toEqual([7, 7, 7, 7, 7])
})
