import { afterAll, beforeEach, expect, test } from 'vitest'
import type { SharedLinkInput, SharedView } from '#contract/console/sharedLinks.ts'
import { answerJson, secrets, sendRaw, startTestGateway, startUpstream } from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

const hour = 3_600_000
const upstream = await startUpstream()
const gateway = await startTestGateway(upstream, { tuning: { sharedViews: { address: 100_000, link: 100_000 } } })
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

let value = 5
beforeEach(async () => {
  value = 5
  upstream.become(({ url }, response) => {
    const rows = { data: [{ __t: '2026-11-20T10:00:00Z', __c0: '<img src=x>' }], rows: 1 }
    const points = { data: [{ ts_bucket: 1_700_000_000_000, 'series_0.data': String(value) }] }
    answerJson(url.endsWith('/search') ? rows : points)({ method: '', url, headers: {}, body: '' }, response)
  })
  await setProduction('development', false)
})

async function setProduction(stage: string, sharedLinks: boolean, id = 'oss') {
  const list = (await gateway.call('GET', '/api/connections')).json as unknown as { id: string; name: string }[] // a list
  const known = list.find((candidate) => candidate.id === id)!
  const body = { ...known, stage, sharedLinks, confirmedName: known.name }
  expect((await gateway.call('PUT', `/api/connections/${id}`, body)).status).toBe(200)
}

const series = { sourceId: 'source-1', aggFn: 'count' as const, where: 'secretCondition:1', groupBy: [] }
const chart: SharedLinkInput['content']['tiles'][number] = {
  id: 't1',
  name: 'Requests <b>',
  x: 0,
  y: 0,
  w: 12,
  h: 6,
  content: {
    kind: 'chart',
    config: { displayType: 'line', select: [{ aggFn: 'count', alias: 'count' }] },
    units: ['number'],
    alignment: { kind: 'buckets', granularity: 'auto', zone: 'utc' },
    aggFns: ['count'],
    combinations: [{ how: 'add', exact: true }],
    notes: [],
    before: false,
    requests: [{ first: 0, earlier: false, query: { series: [series] } }],
  },
}
const rows: typeof chart = {
  ...chart,
  id: 't2',
  content: {
    kind: 'rows',
    columns: [{ expression: 'Body', wide: true }],
    search: { sourceId: 'source-2', where: '', whereLanguage: 'lucene', select: 'Body AS __c0', maxResults: 100 },
  },
}
const searchOf = ({ content }: typeof chart) => ('search' in content ? content.search : {})
const link: SharedLinkInput = {
  name: 'Shop',
  days: 7,
  range: { kind: 'moving', length: 6 * hour },
  snapshot: false,
  content: { zone: 'utc', containers: [], tiles: [chart, rows] },
}
const linksOf = (id: string) => `/api/connections/${id}/shared-links`

async function create(input: Partial<SharedLinkInput> = {}, call = gateway.call) {
  const { status, json, text } = await call('POST', linksOf('oss'), { ...link, ...input })
  expect(status, text).toBe(200)
  const [address = '', token = ''] = String(json['url']).split('#')
  return { id: String(json['id']), address, token, unread: json['unread'] }
}

/** As somebody without a session. */
const view = (token: string, more: object = {}) =>
  gateway.call('POST', '/api/shared-view', { token, ...more }, { cookie: '' })
const viewed = async (token: string) => (await view(token)).json as unknown as SharedView // what the page trusts, too
const audited = async () => {
  const { json } = await gateway.call('GET', '/api/audit?area=sharedLink')
  return json['entries'] as { event: string; subject: string; actor: string; reason: string | null }[] // `AuditPage`
}
const reads = () => upstream.hits.filter(({ url }) => /\/(series|search)$/.test(url))

test('shows the stored queries to who has the link, without a session, and without how they are asked', async () => {
  const { address, token } = await create()
  expect(address).toBe(`${gateway.url}/shared`)
  expect(token).toMatch(/^scl_[\w-]{43}$/)
  const { status, text, headers } = await view(token)
  expect(status).toBe(200)
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  const shown = JSON.parse(text) as SharedView // what the page trusts, too
  expect(shown.tiles.map(({ content }) => content.kind)).toEqual(['chart', 'rows'])
  expect(shown.range.to - shown.range.from).toBe(6 * hour)
  expect(text).not.toContain('secretCondition')
  expect(text).not.toContain('source-1')
  const [chartRead, rowsRead] = reads().map(({ body }) => JSON.parse(body) as Record<string, number>) // as sent
  expect(chartRead).toMatchObject({ granularity: expect.any(String), series: [{ where: 'secretCondition:1' }] })
  expect(shown.range.to - chartRead!['endTime']!).toBe(0)
  expect(rowsRead).toMatchObject({ sourceId: 'source-2', maxResults: 100, offset: 0 })
})

const heatmap: typeof chart = {
  ...chart,
  id: 't3',
  content: {
    kind: 'heatmap',
    value: 'toFloat64OrNull(toString(secretField))',
    scale: 'linear',
    unit: 'ms',
    notes: ['A note.'],
    bounds: {
      alignment: { kind: 'total', granularity: 'auto', zone: 'utc' },
      query: {
        series: (['min', 'max'] as const).map((aggFn) => ({ ...series, aggFn, field: 'secretField' })),
      },
    },
    counts: { alignment: { kind: 'none', granularity: 'auto', zone: 'utc' }, query: { series: [series] } },
  },
}
const patterns: typeof chart = {
  ...chart,
  id: 't4',
  content: {
    kind: 'patterns',
    search: { sourceId: 'source-2', where: '', whereLanguage: 'lucene', select: 'Body AS __c0', maxResults: 1_000 },
  },
}

test('a heatmap is read by its bounds of the time, patterns without their messages', async () => {
  const at = 1_700_000_000_000
  let low: string | null = '0'
  upstream.become(({ url, body }, response) => {
    const isCount = body.includes('roundDown(')
    const bounds = [{ ts_bucket: at, 'series_0.data': low, 'series_1.data': low && '24' }]
    const counts = ['0', '23', '24', null].map((place) => ({ ts_bucket: at, group: [place], 'series_0.data': '3' }))
    const messages = [7, 8, 9].map((order) => ({ __c0: `order ${order} placed`, __c1: order > 7 ? 'info' : 'error' }))
    const data = url.endsWith('/search') ? messages : isCount ? counts : bounds
    answerJson({ data, rows: data.length })({ method: '', url, headers: {}, body: '' }, response)
  })
  const { token } = await create({ content: { ...link.content, tiles: [heatmap, patterns] } })
  upstream.hits.length = 0
  const { text } = await view(token)
  const [drawn, listed] = (JSON.parse(text) as SharedView).tiles.map(({ content }) => content) // what the page trusts, too
  expect(drawn).toMatchObject({
    kind: 'heatmap',
    unit: 'ms',
    notes: ['A note.'],
    scale: { kind: 'linear', hasLower: false },
  })
  const cells = drawn?.kind === 'heatmap' ? drawn.cells : []
  expect([cells.length, cells[0], cells[23], cells.flat().length]).toEqual([24, [[at, 3]], [[at, 6]], 2])
  expect(listed).toEqual({
    kind: 'patterns',
    patterns: [
      {
        pattern: 'order <*> placed',
        count: 3,
        levels: [
          { level: 'info', count: 2 },
          { level: 'error', count: 1 },
        ],
      },
    ],
    read: 3,
    isAll: true,
  })
  expect(text).not.toMatch(/secret|source-|order 7/)
  const sent = reads().map(({ body }) => body)
  expect(sent).toHaveLength(3)
  expect(sent.join()).toContain(
    'toString(if(isFinite(toFloat64OrNull(toString(secretField))), indexOf(array(0e0, 1e0, ',
  )
  // All viewers of an interval share what was read.
  await view(token)
  expect(reads().length % 3).toBe(0)

  low = null
  const empty = await create({ content: { ...link.content, tiles: [heatmap] } })
  expect((await viewed(empty.token)).tiles[0]?.content).toMatchObject({ scale: null, cells: [] })
})

test.each<[string, object]>([
  ['a heatmap of more buckets than are answered', heatmap],
  [
    'more messages than are compared',
    { ...patterns, content: { ...patterns.content, search: { ...searchOf(patterns), maxResults: 1_001 } } },
  ],
])('refuses %s', async (_, tile) => {
  const fine = JSON.parse(JSON.stringify(tile).replaceAll('"auto"', '"30s"'))
  const body = {
    ...link,
    range: { kind: 'moving', length: 300 * 24 * hour },
    content: { ...link.content, tiles: [fine] },
  }
  expect(await gateway.call('POST', linksOf('oss'), body)).toMatchObject({ status: 422, code: 'invalid' })
})

test('hundreds of viewers at once are one read', async () => {
  const { token } = await create()
  upstream.hits.length = 0
  const answers = await Promise.all(Array.from({ length: 200 }, () => view(token, { opened: true })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  // One read of the two tiles for each interval: another one may begin in between.
  const views = new Set(answers.map(({ text }) => text))
  expect(reads()).toHaveLength(2 * views.size)
  expect(views.size).toBeLessThan(20)
  const { json } = await gateway.call('GET', linksOf('oss'))
  expect(json).toMatchObject({ 0: { views: 200 } })
  expect((await audited()).filter(({ event }) => event === 'sharedLink.view').map(({ reason }) => reason)).toEqual([
    'Opened 100 times.',
    'Opened 10 times.',
    'Opened for the first time.',
  ])
})

test('a moving range is read again in the next interval, a snapshot never', async () => {
  const snapshot = await create({
    snapshot: true,
    range: { kind: 'fixed', from: 1_700_000_000_000, to: 1_700_003_600_000 },
  })
  expect(snapshot.unread).toBe(0)
  value = 7
  upstream.hits.length = 0
  const kept = await viewed(snapshot.token)
  expect(kept).toMatchObject({ isSnapshot: true, isMoving: false, range: { from: 1_700_000_000_000 } })
  expect(kept.tiles[0]?.content).toMatchObject({ answers: [[{ 'series_0.data': '5' }]] })
  expect(reads()).toEqual([])
  const moving = await create()
  expect((await viewed(moving.token)).tiles[0]?.content).toMatchObject({ answers: [[{ 'series_0.data': '7' }]] })
})

test('a chart that cannot be read says so, and not what the deployment said', async () => {
  const { token } = await create()
  upstream.become(answerJson({ error: `no such table ${secrets.accessKey} at http://10.0.0.1` }, 400))
  const { status, text } = await view(token)
  expect(status).toBe(200)
  expect((JSON.parse(text) as SharedView).tiles[0]?.content).toEqual({
    kind: 'none',
    reason: 'The deployment refused the query.',
  })
  expect(text).not.toContain('10.0.0.1')
})

test('a link ends when it is revoked, and says to nobody why', async () => {
  const { id, token } = await create()
  await view(token, { opened: true })
  expect((await gateway.call('DELETE', `${linksOf('oss')}/${id}`)).status).toBe(200)
  expect(await view(token)).toMatchObject({ status: 410, json: { message: 'This link is not valid any more.' } })
  expect((await gateway.call('DELETE', `${linksOf('oss')}/${id}`)).status).toBe(404)
  expect(await audited()).toContainEqual(
    expect.objectContaining({ event: 'sharedLink.revoke', outcome: 'done', subject: 'Shop, opened 1 times' }),
  )
})

test('a link that is revoked while it is read shows nothing', async () => {
  const { id, token } = await create()
  const answers: (() => void)[] = []
  upstream.become((hit, response) => {
    answers.push(() => void answerJson({ data: [] })(hit, response))
  })
  const looking = view(token)
  await expect.poll(() => answers.length).toBe(2)
  expect((await gateway.call('DELETE', `${linksOf('oss')}/${id}`)).status).toBe(200)
  for (const answer of answers) answer()
  expect(await looking).toMatchObject({ status: 410, json: { message: 'This link is not valid any more.' } })
})

test('answers that cannot be read are asked for once, too', async () => {
  const { token } = await create({ content: { ...link.content, tiles: [chart] } })
  upstream.become(answerJson({ data: { points: 'none' } }))
  const shown = await Promise.all(Array.from({ length: 20 }, () => viewed(token)))
  const reason = 'The deployment answered with something unexpected.'
  expect(shown.map(({ tiles }) => tiles[0]?.content)).toEqual(shown.map(() => ({ kind: 'none', reason })))
  await viewed(token)
  expect(reads().length).toBeLessThan(5)
})

test('a link of another connection cannot be revoked through this one', async () => {
  const { id, token } = await create()
  expect((await gateway.call('DELETE', `${linksOf('managed')}/${id}`)).status).toBe(404)
  expect((await view(token)).status).toBe(200)
})

test('a link shows nothing once its creator may not share any more, or is gone', async () => {
  const person = await signInAs(gateway, { role: 'editor', roles: {} })
  const { token } = await create({}, person.call)
  expect((await view(token)).status).toBe(200)
  const change = (role: string) =>
    gateway.call('PUT', `/api/people/${person.id}`, { name: 'Person', email: person.email, role, roles: {} })
  expect((await change('viewer')).status).toBe(200)
  expect((await view(token)).status).toBe(410)
  const { json } = await gateway.call('GET', linksOf('oss'))
  expect(json).toMatchObject({ 0: { problem: 'Person may not share links of this connection any more.' } })
  await change('editor')
  expect((await view(token)).status).toBe(200)
  expect((await gateway.call('DELETE', `/api/people/${person.id}`)).status).toBe(200)
  expect((await view(token)).status).toBe(410)
})

test('viewers and scripts share nothing', async () => {
  const viewer = await signInAs(gateway, { role: 'viewer', roles: {} })
  expect(await viewer.call('POST', linksOf('oss'), link)).toMatchObject({ status: 403, code: 'forbidden' })
  const editor = await signInAs(gateway, { role: 'editor', roles: {} })
  const given = { name: 'script', role: 'editor', connections: null, days: 1 }
  const { json } = await editor.call('POST', '/api/account/tokens', given)
  const bearer = { cookie: '', authorization: `Bearer ${String(json['secret'])}` }
  expect(await gateway.call('POST', linksOf('oss'), link, bearer)).toMatchObject({ status: 403, code: 'forbidden' })
})

test('production shows nothing, unless the connection allows it', async () => {
  const { token } = await create()
  await setProduction('production', false)
  expect((await view(token)).status).toBe(410)
  expect(await gateway.call('POST', linksOf('oss'), link)).toMatchObject({ status: 403, code: 'forbidden' })
  await setProduction('production', true)
  expect((await view(token)).status).toBe(200)
  await create()
})

test('a production deployment shows nothing through its other connections either', async () => {
  const { token } = await create()
  await setProduction('production', false, 'managed')
  expect((await view(token)).status).toBe(410)
  const list = (await gateway.call('GET', '/api/connections')).json as unknown as {
    id: string
    linksRefused?: string
  }[] // a list
  const { linksRefused } = list.find(({ id }) => id === 'oss')!
  expect(linksRefused).toContain('Managed is a production connection to the same deployment')
  expect(await gateway.call('POST', linksOf('oss'), link)).toMatchObject({ status: 403, code: 'forbidden' })
  await setProduction('production', true, 'managed')
  expect((await view(token)).status).toBe(200)
  await setProduction('development', false, 'managed')
})

test('a connection that leads elsewhere now shows nothing', async () => {
  const { token } = await create()
  const list = (await gateway.call('GET', '/api/connections')).json as unknown as { id: string }[] // a list
  const known = list.find(({ id }) => id === 'oss')
  const moved = { ...known, baseUrl: 'http://127.0.0.1:9', accessKey: secrets.accessKey }
  expect((await gateway.call('PUT', '/api/connections/oss', moved)).status).toBe(200)
  expect((await view(token)).status).toBe(410)
  const back = { ...known, accessKey: secrets.accessKey }
  expect((await gateway.call('PUT', '/api/connections/oss', back)).status).toBe(200)
  expect((await view(token)).status).toBe(200)
})

test.each<[string, object]>([
  ['an endpoint of its own', { endpoint: 'dashboards.delete', path: '/api/v2/dashboards/1' }],
  ['a query of its own', { content: link.content, query: { where: 'x' } }],
])('a view with %s is that of the link alone', async (_, more) => {
  const { token } = await create()
  upstream.hits.length = 0
  expect((await view(token, more)).status).toBe(200)
  expect(reads().map(({ url }) => url.replace(/^.*v2/, ''))).toEqual(['/charts/series', '/search'])
})

test.each<[string, unknown]>([
  ['no chart', { ...chart, content: { kind: 'request', path: 'http://169.254.169.254/' } }],
  [
    'a select of another table',
    {
      ...rows,
      content: {
        ...rows.content,
        search: { sourceId: 's', where: '', whereLanguage: 'sql', select: 'a; SELECT 1', maxResults: 10_000 },
      },
    },
  ],
  [
    'too many series',
    {
      ...chart,
      content: {
        ...chart.content,
        requests: [{ first: 0, earlier: false, query: { series: Array.from({ length: 6 }, () => series) } }],
      },
    },
  ],
])('refuses a link with %s', async (_, tile) => {
  const body = { ...link, content: { ...link.content, tiles: [tile] } }
  expect(await gateway.call('POST', linksOf('oss'), body)).toMatchObject({ status: 422, code: 'invalid' })
})

test('refuses a link with more queries than it may have, and ranges that have too many buckets', async () => {
  const many = Array.from({ length: 101 }, (_, at) => ({ ...chart, id: String(at) }))
  const large = { ...link, content: { ...link.content, tiles: many } }
  expect(await gateway.call('POST', linksOf('oss'), large)).toMatchObject({ status: 422 })
  const fine = { ...chart.content, alignment: { kind: 'buckets', granularity: '30s', zone: 'utc' } }
  const content = { ...link.content, tiles: [{ ...chart, content: fine }] }
  const body = { ...link, range: { kind: 'moving', length: 300 * 24 * hour }, content }
  expect(await gateway.call('POST', linksOf('oss'), body)).toMatchObject({ status: 422 })
})

test('tokens are in no log, no error and no audit entry, and only their hash is stored', async () => {
  const { token, id } = await create()
  await view(token, { opened: true })
  await view(`${token}x`)
  await view(token, { opened: 'yes' })
  await gateway.call('DELETE', `${linksOf('oss')}/${id}`)
  const refused = await view(token)
  const exported = await gateway.call('GET', '/api/audit/export')
  for (const text of [gateway.log.join('\n'), refused.text, exported.text]) expect(text).not.toContain(token)
})

test.each(['', 'scl_', '../../../etc/passwd', "' OR 1=1 --", 'x'.repeat(300)])(
  'no link has the token %j',
  async (token) => {
    expect([404, 422]).toContain((await view(token)).status)
  },
)

test('another site cannot read a link', async () => {
  const { token } = await create()
  const headers = {
    'content-type': 'application/json',
    host: new URL(gateway.address).host,
    origin: 'https://evil.example',
  }
  const sent = await sendRaw(
    `${gateway.address}/api/shared-view`,
    { method: 'POST', headers },
    JSON.stringify({ token }),
  )
  expect(sent.status).toBe(403)
})

test('the page of a link is the same for everybody, also for who is signed in', async () => {
  const [own, strange] = [
    await gateway.call('GET', '/shared'),
    await gateway.call('GET', '/shared', undefined, { cookie: '' }),
  ]
  const plain = (text: string) => text.replaceAll(/nonce="[^"]*"|content="[A-Za-z0-9+/=]{24}"/g, '')
  expect(plain(own.text)).toBe(plain(strange.text))
  expect(own.headers.get('referrer-policy')).toBe('no-referrer')
})

test('an address and a link have limits of their own', async () => {
  const small = await startTestGateway(upstream, { tuning: { sharedViews: { address: 6, link: 3 } } })
  try {
    const { json } = await small.call('POST', linksOf('oss'), link)
    const token = String(json['url']).split('#')[1]
    const statusOf = async (one: unknown) =>
      (await small.call('POST', '/api/shared-view', { token: one }, { cookie: '' })).status
    const ofLink = []
    for (let sent = 0; sent < 4; sent += 1) ofLink.push(await statusOf(token))
    expect(ofLink).toEqual([200, 200, 200, 429])
    const ofAddress = []
    for (let sent = 0; sent < 3; sent += 1) ofAddress.push(await statusOf('scl_unknown'))
    expect(ofAddress).toEqual([404, 404, 429])
  } finally {
    await small.close()
  }
})
