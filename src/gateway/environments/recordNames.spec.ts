/** Records of all connections by name, in front of scripted deployments. */
import { afterAll, expect, test } from 'vitest'
import type { RecordSearch } from '#contract/console/environments.ts'
import {
  generousBudgetsFor,
  answerJson,
  startTestGateway,
  startUpstream,
  type Hit,
  openSourceSeed,
} from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

const answerWith = (names: readonly string[]) => (hit: Hit, response: Parameters<ReturnType<typeof answerJson>>[1]) => {
  const boards = names.map((name) => ({ id: name.replaceAll(' ', '-'), name, tags: [], tiles: [] }))
  const list = /\/api\/v2\/([\w-]+)/.exec(hit.url)?.[1]
  return answerJson({ data: list === 'dashboards' ? boards : [] })(hit, response)
}

const many = Array.from({ length: 200 }, (_, at) => `Invoices of branch ${at}`)
const [here, there] = [await startUpstream(), await startUpstream()]
here.become(answerWith(['Shop', 'Workshop', ...many]))
there.become(answerWith(['Shop of errors', 'Carts']))
const seed = (id: string, name: string, baseUrl: string) =>
  openSourceSeed(id, baseUrl, { name, accessKey: `key-of-${id}-0123456789` })
const dead = 'http://127.0.0.1:9'
const gateway = await startTestGateway(here, {
  seeds: [seed('here', 'Europe', here.url), seed('there', 'Staging', there.url), seed('dead', 'Dead', dead)],
  budgets: generousBudgetsFor(here.url, there.url, dead),
})
afterAll(async () => {
  await gateway.close()
  await here.close()
  await there.close()
})

async function search(text: string, call = gateway.call, more = ''): Promise<RecordSearch> {
  const reply = await call('GET', `/api/record-search?q=${encodeURIComponent(text)}${more}`)
  expect(reply.status).toBe(200)
  return reply.json as unknown as RecordSearch // the response of the route
}
const names = async (...given: Parameters<typeof search>) => (await search(...given)).records.map(({ name }) => name)

test('reads names behind the search, and from then on finds them without a request', async () => {
  expect(await search('shop')).toEqual({ records: [], reading: ['here', 'there', 'dead'] })
  await expect.poll(async () => (await search('shop')).reading).toEqual([])
  const sent = here.hits.length + there.hits.length
  expect((await search('shop')).records).toEqual([
    { connectionId: 'here', kind: 'dashboards', id: 'Shop', name: 'Shop' },
    { connectionId: 'there', kind: 'dashboards', id: 'Shop-of-errors', name: 'Shop of errors' },
    { connectionId: 'here', kind: 'dashboards', id: 'Workshop', name: 'Workshop' },
  ])
  expect(here.hits.length + there.hits.length).toBe(sent)
})

test('finds every word, in any order, in the name or in that of the connection', async () => {
  expect(await names('errors shop')).toEqual(['Shop of errors'])
  expect(await names('staging shop')).toEqual(['Shop of errors'])
  // The name of a connection alone finds none of its records.
  expect(await names('staging')).toEqual([])
  expect(await names('shop absent')).toEqual([])
})

test('returns the best of many', async () => {
  const found = await names('invoices')
  expect(found.length).toBeLessThan(many.length)
  // Names that begin with the typed text come first.
  expect((await names('invoices of branch 17')).slice(0, 11)).toEqual(
    ['17', ...Array.from({ length: 10 }, (_, at) => `17${at}`)].map((end) => `Invoices of branch ${end}`),
  )
})

test('leaves out connections that somebody does not see, or whose records they know', async () => {
  const person = await signInAs(gateway, { role: 'none', roles: { there: 'viewer' } })
  expect(await search('shop', person.call)).toMatchObject({ records: [{ connectionId: 'there' }], reading: [] })
  expect(await names('shop', gateway.call, '&without=here')).toEqual(['Shop of errors'])
})

test('has new names as soon as any page has read them', async () => {
  there.become(answerWith(['Renamed carts']))
  await gateway.call('GET', '/api/connection-states?reading=fresh')
  await expect.poll(() => names('renamed')).toEqual(['Renamed carts'])
  expect(await names('errors')).toEqual([])
})
