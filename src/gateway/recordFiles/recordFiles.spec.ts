/** Exports of deployments that cannot be read in full, and files that are refused before anything is planned. */
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { beforeEach, describe, expect, test } from 'vitest'
import { exportedKinds, exportedKindsHeader, maxZipBytes } from '#contract/console/recordFiles.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import { kindFolder } from '#domain/recordFiles/recordFiles.ts'
import { answerJson, gatewayForTests, type Hit } from '../testing/testGateway.ts'

const { upstream, gateway } = await gatewayForTests()

const source = { id: 's1', name: 'Logs', kind: 'log', connection: 'c1' }
const tile = { id: 't1', name: 'Errors', x: 0, y: 0, w: 6, h: 3, config: { displayType: 'line', sourceId: 's1' } }
const lists: Record<string, unknown[]> = {
  sources: [source],
  webhooks: [],
  'saved-searches': [],
  dashboards: [{ id: 'd1', name: 'Shop', tags: [], tiles: [tile] }],
  alerts: [],
}

/** @param failing lists that the deployment cannot give, with the status */
function answering(failing: Record<string, number> = {}) {
  return (hit: Hit, response: Parameters<ReturnType<typeof answerJson>>[1]) => {
    const name = /\/api\/v2\/([\w-]+)/.exec(hit.url)?.[1] ?? ''
    const status = failing[name]
    const rows = lists[name] ?? []
    const answer =
      status === undefined
        ? answerJson({ data: rows, meta: { total: rows.length, limit: 1000, offset: 0 } })
        : answerJson({ message: 'out of order' }, status)
    return answer(hit, response)
  }
}

beforeEach(() => upstream.become(answering()))

const url = `${gateway.address}/api/connections/oss`

async function exported() {
  const response = await fetch(`${url}/export`, { headers: { ...gateway.own, cookie: gateway.cookie } })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const kinds = exportedKinds.parse(JSON.parse(decodeURIComponent(response.headers.get(exportedKindsHeader) ?? '[]')))
  return { status: response.status, bytes, kinds }
}

const planOf = (zip: Uint8Array | string, more: object = {}) =>
  gateway.call('POST', '/api/connections/oss/file-imports/plan', {
    zip: Buffer.from(zip).toString('base64'),
    ...more,
  })

/** The status of a plan whose body is announced and not sent: it is refused before, and a sender may not read that. */
async function announce(bytes: number): Promise<number | undefined> {
  const headers = {
    ...gateway.own,
    cookie: gateway.cookie,
    'content-type': 'application/json',
    'content-length': String(bytes),
  }
  const asked = request(`${url}/file-imports/plan`, { method: 'POST', headers })
  asked.flushHeaders()
  const [response] = (await once(asked, 'response')) as [IncomingMessage] // of a client's request
  asked.destroy()
  return response.statusCode
}

const zipOf = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))

describe('an export', () => {
  test('names what could not be read, in the zip and beside it', async () => {
    upstream.become(answering({ sources: 500, alerts: 404 }))
    const { bytes, kinds } = await exported()
    const found: Partial<Record<RecordKind, object>> = {
      sources: { state: 'failed', reason: 'The deployment failed (500).' },
      dashboards: { count: 1 },
      alerts: { state: 'notOffered', reason: expect.any(String) },
    }
    expect(kinds).toEqual(recordKinds.map((kind) => ({ kind, ...(found[kind] ?? { count: 0 }) })))
    const files = unzipSync(bytes)
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['webhooks/', 'dashboards/shop.yaml']))
    expect(Object.keys(files).filter((path) => /^(sources|alerts)\//.test(path))).toEqual([])
    const readme = strFromU8(files['README.txt'] ?? new Uint8Array())
    expect(readme).toContain('NOT IN THIS FILE: the sources could not be read')
    expect(readme).toContain('not offered by the deployment')
    expect(readme).toContain('This export is not complete.')

    // It has IDs in place of names, which still fit its own deployment. What was not read is not deleted.
    upstream.become(answering())
    const { json } = await planOf(bytes, { prune: true })
    expect(json).toMatchObject({ ready: true, counts: { create: 0, update: 0, delete: 0, same: 1 } })
  })

  test('is refused where nothing could be read', async () => {
    upstream.become(answerJson({ message: 'out of order' }, 500))
    const { status, bytes } = await exported()
    expect(status).toBe(502)
    expect(strFromU8(bytes)).toContain('No record could be read, so there is no file.')
  })

  test('is not given to other sites, nor to somebody who is signed out', async () => {
    const get = (headers: Record<string, string>) => fetch(`${url}/export`, { headers }).then(({ status }) => status)
    expect(await get({ cookie: gateway.cookie })).toBe(403)
    expect(await get({ ...gateway.own, cookie: gateway.cookie, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await get(gateway.own)).toBe(401)
    expect(upstream.hits).toEqual([])
  })
})

describe('a zip', () => {
  const board = 'name: Shop\ntiles: []\n'
  test.each([
    ['no zip', strToU8('garbage'), 'The file is no zip.'],
    [
      'no records',
      zipOf({ 'README.txt': 'Hello' }),
      'The zip has no records. They are in the folders sources, webhooks,',
    ],
    [
      'an unknown folder',
      zipOf({ 'boards/a.yaml': board, 'alerts/b.yaml': 'name: B' }),
      `boards/a.yaml: the folder boards is not known. The folders of records are ${recordKinds.map(kindFolder).slice(0, -1).join(', ')} and `,
    ],
    ['a file in no folder', zipOf({ 'a.yaml': board, 'alerts/b.yaml': 'name: B' }), 'a.yaml: lies in no folder.'],
    ['a deeper folder', zipOf({ 'dashboards/team/a.yaml': board }), 'dashboards/team/a.yaml: lies too deep.'],
    ['another format', zipOf({ 'dashboards/a.json': '{}' }), 'dashboards/a.json: is no record.'],
    ['no YAML', zipOf({ 'dashboards/a.yaml': 'name: [' }), 'dashboards/a.yaml:1:8: '],
    ['no name', zipOf({ 'dashboards/a.yaml': 'tiles: []' }), 'dashboards/a.yaml:1:1: name is missing'],
    [
      'a field twice',
      zipOf({ 'dashboards/a.yaml': `${board}name: B\n` }),
      'dashboards/a.yaml:3:1: has the field name twice',
    ],
    ['a prototype', zipOf({ 'dashboards/a.yaml': `${board}__proto__: {}\n` }), 'has a field that is not allowed'],
    [
      'aliases that multiply',
      zipOf({
        'dashboards/a.yaml': `name: A\n${Array.from({ length: 9 }, (_, at) => `a${at}: &a${at} [${at === 0 ? '1' : `*a${at - 1},`.repeat(9)}]`).join('\n')}`,
      }),
      'dashboards/a.yaml:1:1: Excessive alias count',
    ],
    [
      'the same ID twice',
      zipOf({ 'alerts/a.yaml': 'id: x', 'alerts/b.yaml': 'id: x' }),
      'has the same id as alerts/a.yaml',
    ],
  ])('with %s is refused, and the deployment is not asked', async (_, zip, message) => {
    const { status, json } = await planOf(zip)
    expect([status, json['code']]).toEqual([422, 'invalid'])
    expect(json['message']).toContain(message)
    expect(upstream.hits).toEqual([])
  })

  test('with several problems names each file', async () => {
    const { json } = await planOf(zipOf({ 'dashboards/a.yaml': '- 1', 'alerts/b.yaml': 'name: {', 'c/d.yaml': '' }))
    expect(json['message']).toMatch(/And 2 more problems\.$/)
    const fields = json['fields'] as { path: string; message: string }[] // the gateway's own response
    expect(fields.map(({ path }) => path)).toEqual(['dashboards/a.yaml:1:1', 'alerts/b.yaml:1:8', 'c/d.yaml'])
  })

  test('of a folder, with the files of other programs in it, is taken', async () => {
    const files = {
      'stack/dashboards/shop.yaml': 'id: d1\nname: Shop\ntags: [new]\ntiles: []\n',
      'stack/.stack-console/applies/1.json': '{}',
      '__MACOSX/stack/._x': '',
      'stack/.DS_Store': '',
      'stack/README.md': '',
    }
    const { json } = await planOf(zipOf(files))
    expect(json).toMatchObject({ ready: true, files: 1, counts: { create: 0, update: 1, delete: 0, same: 0 } })
  })

  test('that is too large is refused', async () => {
    const most = Buffer.alloc(maxZipBytes + 3)
    const { status, json } = await planOf(most)
    expect([status, json['message']]).toEqual([422, expect.stringContaining('The zip is larger than 20 MiB')])
    expect(await announce(2 * maxZipBytes)).toBe(413)
  })
})
