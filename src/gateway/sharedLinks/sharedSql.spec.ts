/** Raw SQL tiles in shared links: what is run, for whom, and what viewers see of it. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { AuditPage } from '#contract/console/audit.ts'
import { isAtLeast, roleNeeded } from '#contract/console/consoleRoles.ts'
import type { SharedLinkInput, SharedView } from '#contract/console/sharedLinks.ts'
import { stages } from '#contract/console/stages.ts'
import { answerJson, startTestGateway, startUpstream } from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'
import { viewedSql } from './sharedSql.ts'

const upstream = await startUpstream()
const gateway = await startTestGateway(upstream, { tuning: { sharedViews: { address: 100_000, link: 100_000 } } })
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const columns = [
  { name: 'service', type: 'String', secretOrigin: 'otel_logs' },
  { name: 'n', type: 'UInt64' },
]
let result: object
beforeEach(() => {
  result = { columns, rows: [['cart', '18446744073709551615']], isTruncated: false, rowsRead: 9, milliseconds: 1 }
  upstream.become((_, response) =>
    answerJson({ data: result })({ method: '', url: '', headers: {}, body: '' }, response),
  )
})

type Tile = SharedLinkInput['content']['tiles'][number]
type Sql = Extract<Tile['content'], { kind: 'sql' }>

const sql: Sql = {
  kind: 'sql',
  config: { configType: 'sql', displayType: 'table' },
  notes: ['A note.'],
  alignment: { kind: 'none', granularity: 'auto', zone: 'utc' },
  template: `SELECT service, count() AS n FROM $__sourceTable WHERE $__timeFilter(ts) AND $__filters
    AND password = 'hunter2' AND env IN ($env) GROUP BY service`,
  filters: {
    conditions: ["secretColumn = 'x'"],
    variables: [{ name: 'env', expression: '', values: ["o'prod"] }],
  },
  source: { from: { databaseName: 'default', tableName: 'otel`logs' } },
}
const place = { x: 0, y: 0, w: 12, h: 6 }
const tile = (change: Partial<Sql> = {}): Tile => ({ id: 't', name: 'T', ...place, content: { ...sql, ...change } })
const linkOf = (tiles: Tile[], more: Partial<SharedLinkInput> = {}): SharedLinkInput => ({
  name: 'Shop',
  days: 7,
  range: { kind: 'moving', length: 3_600_000 },
  snapshot: false,
  content: { zone: 'utc', containers: [], tiles },
  ...more,
})
const path = '/api/connections/oss/shared-links'

async function create(link: SharedLinkInput, call = gateway.call): Promise<string> {
  const { status, json, text } = await call('POST', path, link)
  expect(status, text).toBe(200)
  return String(json['url']).split('#')[1] ?? ''
}
const view = (token: string) => gateway.call('POST', '/api/shared-view', { token }, { cookie: '' })
const contentOf = ({ text }: { text: string }) => (JSON.parse(text) as SharedView).tiles[0]?.content // what the page trusts, too
const statements = () =>
  upstream.hits
    .filter(({ url }) => url.endsWith('/sql/queries'))
    .map(({ body }) => JSON.parse(body) as { statement: string; maxRows: number }) // as sent

test('the stored statement is run with the stored filters, and viewers see its rows alone', async () => {
  const token = await create(linkOf([tile()]))
  const shown = await view(token)
  expect(contentOf(shown)).toEqual({
    kind: 'sql',
    config: sql.config,
    notes: sql.notes,
    span: expect.objectContaining({ from: expect.any(Number) }),
    bucketMs: expect.any(Number),
    usesInterval: false,
    columns: [
      { name: 'service', type: 'String' },
      { name: 'n', type: 'UInt64' },
    ],
    rows: [['cart', '18446744073709551615']],
    isTruncated: false,
  })
  expect(shown.text).not.toMatch(/hunter2|secret|password|otel|prod|rowsRead/)
  const [{ statement, maxRows } = { statement: '', maxRows: 0 }] = statements()
  expect(maxRows).toBe(200)
  expect(statement).toContain('FROM `default`.`otel\\`logs` WHERE (ts >= fromUnixTimestamp64Milli')
  expect(statement).toContain("AND ((secretColumn = 'x'))")
  expect(statement).toContain("env IN ('o\\'prod')")

  // All viewers of an interval share one read.
  const before = statements().length
  const views = await Promise.all(Array.from({ length: 50 }, () => view(token)))
  const different = new Set(views.map(({ text }) => text)).size
  expect(statements().length - before).toBeLessThan(different + 1)
  expect(different).toBeLessThan(5)
})

test('what is shared is in the audit log without its literals', async () => {
  await create(linkOf([tile()], { name: 'Audited' }))
  const { entries } = (await gateway.call('GET', '/api/audit?area=sql')).json as unknown as AuditPage // by its contract
  expect(entries[0]).toMatchObject({
    event: 'sql.share',
    connectionId: 'oss',
    subject: expect.stringContaining("password = '…'"),
    reason: 'In the public link Audited.',
  })
  expect(JSON.stringify(entries)).not.toContain('hunter2')
})

test.each<[string, Partial<Sql>, RegExp]>([
  ['a condition that is more', { filters: { conditions: ['1) OR (1'], variables: [] } }, /not one condition/],
  ['a macro that is not known', { template: 'SELECT $__other' }, /not known/],
  ['a variable within quotes', { template: "SELECT '$env'" }, /quotes of its own/],
  ['no source for its table', { source: {} }, /no source with such a table/],
  ['an expression that is more', expressionOf('a) OR (b'), /not one expression/],
  ['a statement that gets too long', { template: '$__filters '.repeat(9_000) }, /too|more than 100,000/],
])('refuses a statement with %s', async (_, change, message) => {
  const { status, json } = await gateway.call('POST', path, linkOf([tile(change)]))
  expect([status, json['message']]).toEqual([422, expect.stringMatching(message)])
  expect(statements()).toEqual([])
})

function expressionOf(expression: string): Partial<Sql> {
  const variables = [{ name: 'env', expression, values: ['a'] }]
  return { template: 'SELECT $__filter(env)', filters: { conditions: [], variables } }
}

test('refuses more statements than a link may have', async () => {
  const tiles = Array.from({ length: 21 }, (_, at) => ({ ...tile(), id: String(at) }))
  expect(await gateway.call('POST', path, linkOf(tiles))).toMatchObject({ status: 422 })
})

test('a deployment that refuses a statement is not quoted', async () => {
  const token = await create(linkOf([tile({ template: 'SELECT 1 AS n' })]))
  upstream.become(answerJson({ error: 'no such table hidden at http://10.0.0.1' }, 400))
  const shown = await view(token)
  expect(contentOf(shown)).toEqual({ kind: 'none', reason: 'The deployment refused the query.' })
  expect(shown.text).not.toContain('hidden')
})

test.each(stages)('who may share links on %s may run SQL, so that no view asks for it', (stage) => {
  expect(isAtLeast(roleNeeded('write', stage), roleNeeded('query', stage))).toBe(true)
})

test('who lost the right to share shows nothing, also of a view that was read before', async () => {
  const person = await signInAs(gateway, { role: 'editor', roles: {} })
  const token = await create(linkOf([tile()]), person.call)
  expect((await view(token)).status).toBe(200)
  const role = (name: string) =>
    gateway.call('PUT', `/api/people/${person.id}`, { name: 'Person', email: person.email, role: name, roles: {} })
  await role('viewer')
  expect((await view(token)).status).toBe(410)
  await role('editor')
  expect((await view(token)).status).toBe(200)
})

test('a snapshot keeps the rows', async () => {
  const token = await create(linkOf([tile()], { snapshot: true }))
  const sent = statements().length
  result = { columns, rows: [], isTruncated: false, milliseconds: 1 }
  expect(contentOf(await view(token))).toMatchObject({ rows: [['cart', '18446744073709551615']] })
  expect(statements()).toHaveLength(sent)
})

test('many rows are cut, which is said', async () => {
  result = { columns, rows: Array.from({ length: 201 }, () => ['a', '1']), isTruncated: false, milliseconds: 1 }
  const content = contentOf(await view(await create(linkOf([tile()]))))
  expect(content).toMatchObject({ isTruncated: true })
  expect(content?.kind === 'sql' && content.rows).toHaveLength(200)
})

test('results that are too large for a view are not shown, and the view is read once', async () => {
  const wide = Array.from({ length: 200 }, () => ['x'.repeat(4_000), '1'])
  result = { columns, rows: wide, isTruncated: false, milliseconds: 1 }
  const tiles = [1, 2, 3].map((at) => ({ ...tile({ template: `SELECT ${at} AS n` }), id: String(at) }))
  const token = await create(linkOf(tiles))
  const { text } = await view(token)
  const kinds = (JSON.parse(text) as SharedView).tiles.map(({ content }) => content.kind) // what the page trusts, too
  expect(kinds).toEqual(['sql', 'sql', 'none'])
  expect(text).toContain('too large to be shared')
  const sent = statements().length
  const again = await view(token)
  expect(statements().length - sent).toBe(again.text === text ? 0 : 3)
})

test('a result that is too large is not kept until the others are read', async () => {
  const { filters: _filters, source, ...more } = sql
  const whole = { ...more, template: 'SELECT 1 AS n', ...(source && { source }) }
  const span = { from: 0, to: 3_600_000 }
  const read = (length: number) =>
    viewedSql(whole as never, span, async () => ({ ...result, rows: [['x'.repeat(length), '1']] })) // the input of the schema is its output here
  expect(await read(2_000_000)).toEqual({ kind: 'none', reason: 'Its result is too large to be shared.' })
  expect(await read(1_999_000)).toMatchObject({ kind: 'sql' })
})

test('the statements of a link are run a few at a time', async () => {
  let [running, most] = [0, 0]
  upstream.become((_, response) => {
    running += 1
    most = Math.max(most, running)
    setTimeout(() => {
      running -= 1
      answerJson({ data: result })({ method: '', url: '', headers: {}, body: '' }, response)
    }, 20)
  })
  const tiles = Array.from({ length: 8 }, (_, at) => ({
    ...tile({ template: `SELECT ${at} AS n` }),
    id: String(at),
  }))
  const token = await create(linkOf(tiles))
  const { tiles: shown } = JSON.parse((await view(token)).text) as SharedView // what the page trusts, too
  expect(shown.map(({ id, content }) => [id, content.kind])).toEqual(tiles.map(({ id }) => [id, 'sql']))
  expect(most).toBeLessThan(3)
})
