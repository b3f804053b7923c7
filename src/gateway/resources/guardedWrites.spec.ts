import { beforeEach, describe, expect, test } from 'vitest'
import { baseRevisionHeader } from '#contract/wire/gatewayWire.ts'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { answerJson, answerText, gatewayForTests, newAlert, serviceId, type Hit } from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

const { upstream, gateway } = await gatewayForTests()

const id = '65f5e4a3b9e77c001a000009'
const path = `/api/c/oss/stack/alerts/${id}`
type Fields = Record<string, unknown>

/** The records of the deployment. */
let stored: Fields

beforeEach(() => {
  stored = { ...newAlert, id, state: 'OK', updatedAt: '2026-01-01T00:00:00.000Z', region: { zones: ['a'] } }
  upstream.become((hit, response) => {
    if (hit.method === 'PUT') stored = { ...stored, ...(parseJson(hit.body) as Fields) }
    answerText(stringifyJson({ data: stored }), 'application/json')(hit, response)
  })
})

const revisionOf = async (at = path) => String((await gateway.call('GET', at)).json.revision)
const save = (base: string, body: Fields = newAlert, at = path) =>
  gateway.call('PUT', at, body, { [baseRevisionHeader]: base })
const methods = () => upstream.hits.map(({ method }: Hit) => method)

describe('write with a base revision', () => {
  test('costs one read and one write, and returns the next revision', async () => {
    const base = await revisionOf()
    upstream.hits.length = 0
    const saved = await save(base, { ...newAlert, name: 'Mine' })
    expect(saved.status).toBe(200)
    expect(methods()).toEqual(['GET', 'PUT'])
    expect(saved.json.revision).toBe(await revisionOf())
    expect(saved.json.revision).not.toBe(base)
  })

  test('is rejected with the stored record if somebody else changed it first', async () => {
    const base = await revisionOf()
    await save(base, { ...newAlert, name: 'Theirs' })
    upstream.hits.length = 0
    const refused = await save(base, { ...newAlert, name: 'Mine' })
    expect([refused.status, refused.code]).toEqual([409, 'conflict'])
    expect(refused.json.current).toEqual({ result: stored, revision: await revisionOf() })
    expect(methods()).not.toContain('PUT')
    expect(stored['name']).toBe('Theirs')
  })

  test.each([
    ['a field that the console does not know', { region: { zones: ['a', 'b'] } }],
    ['a number that JavaScript cannot hold', { quota: parseJson('9007199254740993') }],
  ])('%s is a change', async (_, change) => {
    stored = { ...stored, quota: parseJson('9007199254740992') }
    const base = await revisionOf()
    stored = { ...stored, ...change }
    expect((await save(base)).code).toBe('conflict')
  })

  test('ignores the order of fields and fields that change by themselves', async () => {
    const base = await revisionOf()
    stored = Object.fromEntries(Object.entries({ ...stored, state: 'ALERT', updatedAt: 'later' }).toReversed())
    expect((await save(base)).status).toBe(200)
  })

  test('has the same revision in the list and in the record', async () => {
    upstream.become(answerJson({ data: [stored], meta: { total: 1 } }))
    const { json } = await gateway.call('GET', '/api/c/oss/stack/alerts')
    upstream.become(answerJson({ data: stored }))
    expect(json.revisions).toEqual([await revisionOf()])
  })

  test('is also checked for a delete', async () => {
    const base = await revisionOf()
    stored = { ...stored, name: 'Theirs' }
    upstream.hits.length = 0
    const refused = await gateway.call('DELETE', path, undefined, { [baseRevisionHeader]: base })
    expect(refused.code).toBe('conflict')
    expect(methods()).toEqual(['GET'])
  })

  test('is locked across all connections to the deployment, of either variant', async () => {
    const managed = `/api/c/managed/stack/alerts/${id}`
    const bases = await Promise.all([revisionOf(), revisionOf(managed)])
    const answers = await Promise.all([
      save(bases[0], { ...newAlert, name: 'One' }),
      save(bases[1], { ...newAlert, name: 'Two' }, managed),
      save(bases[0], { ...newAlert, name: 'Three' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  test('is compared with the current record, not with a read that began before', async () => {
    const base = await revisionOf()
    const before = structuredClone(stored)
    let answerOld = () => {}
    const { respond } = upstream
    const reads = () => upstream.hits.filter(({ method }) => method === 'GET').length
    upstream.become(async (hit, response) => {
      if (hit.method !== 'GET' || reads() > 1) return respond(hit, response)
      await new Promise<void>((done) => (answerOld = done))
      return answerJson({ data: before })(hit, response)
    })
    const polled = gateway.call('GET', path)
    while (reads() === 0) await new Promise((next) => setTimeout(next, 2))
    stored = { ...stored, name: 'Saved from another machine' }
    const mine = save(base)
    while (reads() < 2) await new Promise((next) => setTimeout(next, 2))
    answerOld()
    await polled
    expect((await mine).code).toBe('conflict')
  })

  test('is rejected without a request if the revision is malformed', async () => {
    expect((await save('not a revision')).code).toBe('invalid')
    expect(upstream.hits).toEqual([])
  })

  test('reports a deleted record', async () => {
    const base = await revisionOf()
    upstream.become(answerJson({ message: 'Alert not found' }, 404))
    expect((await save(base)).code).toBe('notFound')
    expect(methods()).toEqual(['GET'])
  })
})

test('compares the whole record when a part changes: scaling of a pipe', async () => {
  const pipe = { id: 'p', name: 'Events', state: 'Running', scaling: { replicas: 1 } }
  upstream.become(answerJson({ status: 200, requestId: 'r', result: pipe }))
  const at = `/api/c/managed/organization/services/${serviceId}/datapipes/p`
  const scale = (base: string) =>
    gateway.call('PATCH', `${at}/scaling`, { replicas: 3 }, { [baseRevisionHeader]: base })
  const base = await revisionOf(at)
  upstream.become(answerJson({ status: 200, requestId: 'r', result: { ...pipe, state: 'Stopped' } }))
  expect((await scale(base)).status).toBe(200)
  upstream.become(answerJson({ status: 200, requestId: 'r', result: { ...pipe, scaling: { replicas: 2 } } }))
  expect((await scale(base)).json).toMatchObject({
    code: 'conflict',
    current: { result: { scaling: { replicas: 2 } } },
  })
})

test('an acknowledgement names the person who sends it, whatever the body says', async () => {
  const acknowledge = (call: typeof gateway.call, body: object) => call('POST', `${path}/acknowledged`, body)
  const person = await signInAs(gateway, { name: 'Ada', role: 'none', roles: { oss: 'editor' } })
  await acknowledge(person.call, { note: 'On it', by: 'Somebody else' })
  await acknowledge(gateway.call, { note: 'On it', by: 'Somebody else' })
  const bodies = upstream.hits.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
  expect(bodies).toEqual([{ note: 'On it', by: 'Ada' }, { note: 'On it' }])
})

test('a silence depends on silences and pauses only, and a save does not depend on them', async () => {
  const silence = (base: string) =>
    gateway.call('POST', `${path}/silenced`, { mutedUntil: '2999-01-01T00:00:00Z' }, { [baseRevisionHeader]: base })
  const base = await revisionOf()
  stored = { ...stored, name: 'Theirs', state: 'ALERT' }
  const silenced = await silence(base)
  expect(silenced.status).toBe(200)
  expect(silenced.json.revision).toBe(await revisionOf())

  const renamed = await revisionOf()
  stored = { ...stored, silenced: { until: '2999-01-01T00:00:00Z', reason: 'Theirs' } }
  upstream.hits.length = 0
  expect((await silence(renamed)).json).toMatchObject({ code: 'conflict', current: { result: stored } })
  expect((await gateway.call('DELETE', `${path}/silenced`, undefined, { [baseRevisionHeader]: renamed })).code).toBe(
    'conflict',
  )
  expect(methods()).toEqual(['GET', 'GET'])
  expect((await save(renamed)).status).toBe(200)
})

test('finds a webhook in the list, read once for revision and URL, and returns it masked', async () => {
  const token = 'xoxb-a-token-of-an-address-0123456789'
  const hook = { id, name: 'Team', service: 'generic', url: `https://hooks.example/services/${token}`, updatedAt: 'a' }
  const list = (one: object) =>
    upstream.become((hit, response) =>
      answerJson(hit.method === 'GET' ? { data: [one], meta: { total: 1 } } : { data: one })(hit, response),
    )
  list(hook)
  const at = '/api/c/oss/stack/webhooks'
  const { result, revisions } = (await gateway.call('GET', at)).json
  const [base] = revisions as string[] // of a list that has one row
  const [{ id: _, updatedAt: __, ...shown }] = result as [typeof hook]
  upstream.hits.length = 0
  expect((await save(String(base), { ...shown, name: 'Mine' }, `${at}/${id}`)).status).toBe(200)
  expect(methods()).toEqual(['GET', 'PUT'])
  expect(upstream.hits[1]?.body).toContain(token)
  list({ ...hook, updatedAt: 'b' })
  const refused = await save(String(base), { ...shown, name: 'Mine' }, `${at}/${id}`)
  expect(refused.code).toBe('conflict')
  expect(refused.text).not.toContain(token)
})

test('a POST that replaces a record is guarded like other saves', async () => {
  let endpoint: Fields = { id: '1', roles: ['sql_console_admin'], openApiKeys: [], allowedOrigins: '' }
  upstream.become((hit, response) => {
    if (hit.method === 'POST') endpoint = { ...endpoint, ...(parseJson(hit.body) as Fields) }
    answerText(stringifyJson({ status: 200, requestId: 'r', result: endpoint }), 'application/json')(hit, response)
  })
  const at = `/api/c/managed/organization/services/${serviceId}/serviceQueryEndpoint`
  const replace = (base: string, roles: string[]) =>
    gateway.call('POST', at, { roles, openApiKeys: [] }, { [baseRevisionHeader]: base })
  const base = await revisionOf(at)
  expect((await replace(base, ['sql_console_read_only'])).status).toBe(200)
  const refused = await replace(base, ['sql_console_admin'])
  expect(refused.code).toBe('conflict')
  expect(endpoint['roles']).toEqual(['sql_console_read_only'])
  // A role of a newer deployment, and a field that this console does not know, pass.
  const newer = { roles: ['a_newer_role'], openApiKeys: [], addedLater: 1 }
  const now = await revisionOf(at)
  expect((await gateway.call('POST', at, newer, { [baseRevisionHeader]: now })).status).toBe(200)
  expect(endpoint).toMatchObject(newer)
})
