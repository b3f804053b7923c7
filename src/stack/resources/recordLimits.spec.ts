/** How many records a stack, a team and an organization may have. The last place is taken by one of two requests at once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { join } from '../team/invitations.ts'
import { managedClientOf, pipeInputs } from '../testing/managedClient.ts'
import { organizationClient } from '../testing/managedKeys.ts'
import { createDashboard, lineTile, savedSearchInput, tileAlert } from '../testing/sampleInputs.ts'
import { startTestStack, type Answer, type TestStack } from '../testing/testStack.ts'

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())

const dashboard = () => ({ name: 'One more', tiles: [lineTile(stack.sourceIds['log'])] })
const source = (name: string) => ({
  name,
  kind: 'log',
  connection: stack.identity.connectionId,
  from: { databaseName: 'default', tableName: 'otel_logs' },
  timestampValueExpression: 'Timestamp',
  defaultTableSelectExpression: 'Timestamp, Body',
})
const webhook = (name: string) => ({ name, service: 'generic', url: `https://hooks.example/${name}` })

/** The SQL of a document. @param fields further ones, as JSON: `, "name": "x"` */
const fillerDocument = (fields = '') => `'{"id": "filler' || n || '"${fields}}'`

/** Fills a table up to a number of records, without a request for each. */
async function fill(table: string, count: number, columns: Record<string, string> = {}): Promise<void> {
  const filler = { id: "'filler' || n", document: fillerDocument(), ...columns }
  const [row] = await stack.store.rows(`SELECT count(*) AS total FROM ${table}`)
  await stack.store.write((transaction) =>
    transaction.run(
      `WITH RECURSIVE places (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM places WHERE n < ?)
       INSERT INTO ${table} (${Object.keys(filler).join(', ')}) SELECT ${Object.values(filler).join(', ')} FROM places`,
      [count - Number(row?.['total'])],
    ),
  )
}

const empty = (table: string) =>
  stack.store.write((transaction) => transaction.run(`DELETE FROM ${table} WHERE id LIKE 'filler%'`))

/** One of two requests at once succeeds, and the other names the limit. After a deletion there is room again. */
async function expectLimit(add: (name: string) => Promise<Answer>, table: string, sentence: string): Promise<void> {
  const answers = await Promise.all([add('first'), add('second')])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const refused = answers.find(({ status }) => status !== 200)
  expect([refused?.status, refused?.text]).toEqual([400, expect.stringContaining(sentence)])
  await empty(table)
  expect((await add('third')).status).toBe(200)
}

test.each([
  ['dashboards', 20_000, dashboard, { name: "'x'" }],
  ['webhooks', 1000, webhook, { document: fillerDocument(', "name": "x", "service": "generic"') }],
  ['sources', 1000, source, {}],
])('the limit of %s of a stack is %i', async (table, most, input, columns) => {
  await fill(table, most - 1, columns)
  const add = (name: string) => stack.openSource('POST', `/${table}`, input(name))
  await expectLimit(add, table, `A stack has at most ${most.toLocaleString('en')} ${table}. Delete one first`)
})

test('a stack has at most 10,000 alerts, on both variants', async () => {
  const watched = await createDashboard(stack)
  await fill('alerts', 9999)
  const add = () => stack.managed('POST', '/alerts', tileAlert(stack, watched))
  await expectLimit(add, 'alerts', 'A stack has at most 10,000 alerts. Delete one first')
})

test('a stack has at most 10,000 saved searches', async () => {
  await fill('saved_searches', 9999)
  const add = (name: string) => stack.openSource('POST', '/saved-searches', savedSearchInput(stack, { name }))
  await expectLimit(add, 'saved_searches', 'A stack has at most 10,000 saved searches. Delete one first')
})

test('an organization has at most 500 data pipes', async () => {
  await fill('pipes', 499, { service_id: "'none'" })
  const add = (name: string) => managedClientOf(stack).call('POST', '/datapipes', { ...pipeInputs.objectStorage, name })
  await expectLimit(add, 'pipes', 'An organization has at most 500 data pipes. Delete one first')
})

test('a team has at most 1,000 members, however many invitations are open', async () => {
  const invite = (email: string) => stack.openSource('POST', '/team/invitation', { email })
  const tokens = await Promise.all(
    ['ada@example.com', 'eve@example.com'].map(
      async (email) => new URL((await invite(email)).json.data.url).searchParams.get('token') ?? '',
    ),
  )
  await fill('members', 999, { email: "'filler' || n", key_digest: "'filler' || n" })
  const joined = await Promise.allSettled(tokens.map((token) => join(stack.store, token, 'Correct-horse-7-battery')))
  expect(joined.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const sentence = 'A team has at most 1,000 members. Remove one first'
  expect(joined.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { message: sentence } })
  const refused = await invite('bob@example.com')
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(sentence)])
  await empty('members')
  expect((await invite('bob@example.com')).status).toBe(200)
})

test('an organization has at most 1,000 members, however many invitations are open', async () => {
  const { call } = organizationClient(stack)
  const invite = (email: string) => call('POST', '/invitations', { email, role: 'developer' })
  const { url } = (await invite('ada@example.com')).json.result
  await fill('organization_members', 1000, { document: fillerDocument(', "email": "filler", "assignedRoleIds": []') })
  const token = new URL(url).searchParams.get('token') ?? ''
  const enter = (name: string) =>
    stack.send('POST', '/join-organization', {
      body: new URLSearchParams({ token, name }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const sentence = 'An organization has at most 1,000 members. Remove one first'
  for (const refused of [await enter('Ada'), await invite('bob@example.com')]) {
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(sentence)])
  }
  await empty('organization_members')
  expect((await enter('Ada')).status).toBe(200)
})
