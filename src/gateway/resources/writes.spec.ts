import { describe, expect, test, vi } from 'vitest'
import { writeIdHeader } from '#contract/console/connections.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { SharedReads } from '#node/upstream/sharedReads.ts'
import {
  answerJson,
  answerText,
  gatewayForTests,
  newAlert,
  serviceId,
  startTestGateway,
  type Hit,
  type TestUpstream,
} from '../testing/testGateway.ts'

const { upstream, gateway } = await gatewayForTests()

const alerts = '/api/c/oss/stack/alerts'
const id = '65f5e4a3b9e77c001a000009'
const alert = `${alerts}/${id}`
const writes = () => upstream.hits.filter(({ method }) => method !== 'GET')

/** Delays a response until released. */
function held(respond: Parameters<TestUpstream['become']>[0]) {
  let open = () => {}
  const opened = new Promise<void>((done) => {
    open = done
  })
  upstream.become(async (hit, response) => {
    await opened
    await respond(hit, response)
  })
  return open
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((next) => setTimeout(next, 2))
}

describe('write with an ID', () => {
  const named = (name: string, body: unknown = newAlert) =>
    gateway.call('POST', alerts, body, { [writeIdHeader]: name })

  test('reaches the deployment once, while it runs and after', async () => {
    const open = held(answerJson({ data: { id } }))
    const both = [named('click-1'), named('click-1')]
    await until(() => writes().length > 0)
    open()
    const [first, second] = await Promise.all(both)
    const third = await named('click-1')
    expect(first?.json.result).toEqual({ id })
    expect(second?.json).toEqual(first?.json)
    expect(third.json).toEqual(first?.json)
    expect(writes()).toHaveLength(1)
  })

  test('keeps its error too', async () => {
    upstream.become(answerJson({ message: 'Dashboard not found' }, 400))
    const first = await named('click-2')
    upstream.become(answerJson({ data: { id } }))
    const second = await named('click-2')
    expect(second.json).toMatchObject({ code: 'invalid', message: 'Dashboard not found' })
    expect(second.json.message).toBe(first.json.message)
    expect(writes()).toHaveLength(0)
  })

  test('does not match another change', async () => {
    upstream.become(answerJson({ data: { id } }))
    await named('click-3')
    expect((await named('click-3', { ...newAlert, name: 'Other' })).status).toBe(409)
    expect(writes()).toHaveLength(1)
  })

  test('may be retried if it was not accepted', async () => {
    const tooMany = answerText('Too many', 'text/html', 429, { 'retry-after': '0.02' })
    upstream.become(tooMany)
    expect((await named('click-4')).code).toBe('rateLimited')
    upstream.become(answerJson({ data: { id } }))
    expect((await named('click-4')).status).toBe(200)
  })

  test('belongs to its session', async () => {
    upstream.become(answerJson({ data: { id } }))
    await named('click-5')
    const other = await startTestGateway(upstream)
    try {
      await other.call('POST', alerts, newAlert, { [writeIdHeader]: 'click-5' })
      expect(writes()).toHaveLength(2)
    } finally {
      await other.close()
    }
  })

  test('rejects an invalid ID', async () => {
    expect((await named('not a name')).code).toBe('invalid')
  })
})

test('repeats a write without an ID', async () => {
  upstream.become(answerJson({ data: { id } }))
  await gateway.call('POST', alerts, newAlert)
  await gateway.call('POST', alerts, newAlert)
  expect(writes()).toHaveLength(2)
})

describe('write with a lost response', () => {
  /** A deployment that keeps alerts, and loses the answer to every write. */
  function losing({ applies = true, stored = [] as Record<string, unknown>[] } = {}) {
    const rows = new Map(stored.map((row) => [String(row.id), row]))
    upstream.become((hit, response) => {
      if (hit.method === 'GET') {
        const found = hit.url.includes('?') ? [...rows.values()] : rows.get(hit.url.split('/').at(-1) ?? '')
        return (found ? answerJson({ data: found }) : answerJson({ message: 'Alert not found' }, 404))(hit, response)
      }
      if (applies) apply(hit)
      response.socket?.destroy()
    })
    function apply({ method, url, body }: Hit): void {
      const target = method === 'POST' ? 'new-one' : (url.split('/').at(-1) ?? '')
      if (method === 'DELETE') rows.delete(target)
      else rows.set(target, { createdAt: currentIsoTime(), ...JSON.parse(body), id: target, state: 'OK' })
    }
  }
  const old = { ...newAlert, id, name: 'Before', createdAt: '2020-01-01T00:00:00.000Z' }
  const applied = /was applied/
  const notApplied = /was not applied/
  const unknown = /could not determine/

  test.each([
    ['POST', alerts, newAlert, {}, applied],
    ['POST', alerts, newAlert, { applies: false }, notApplied],
    ['POST', alerts, { ...newAlert, name: 'Before' }, { applies: false, stored: [old] }, notApplied],
    ['POST', alerts, newAlert, { applies: false, stored: [{ ...newAlert, id }] }, unknown],
    ['PUT', alert, newAlert, { stored: [old] }, applied],
    ['PUT', alert, newAlert, { stored: [old], applies: false }, notApplied],
    ['PUT', alert, newAlert, {}, applied],
    ['PUT', alert, newAlert, { applies: false }, unknown],
    ['DELETE', alert, undefined, { stored: [old] }, applied],
    ['DELETE', alert, undefined, { stored: [old], applies: false }, notApplied],
  ] as const)('%s %s %#', async (method, path, body, deployment, words) => {
    losing(deployment as Parameters<typeof losing>[0])
    const answer = await gateway.call(method, path, body)
    expect(answer.json).toMatchObject({ code: 'outcomeUnknown', message: expect.stringMatching(words) })
    expect(writes()).toHaveLength(1)
  })

  test.each([
    ['PATCH', '/scaling', { replicas: 3 }, true, applied],
    ['PATCH', '/scaling', { replicas: 3 }, false, unknown],
    ['DELETE', '', undefined, true, applied],
    ['DELETE', '', undefined, false, unknown],
  ])(
    'is never reported as not applied for a resource that converges later: %s %s %#',
    async (method, below, body, applies, words) => {
      const pipe = { id, scaling: { replicas: 1 } }
      const gone = answerJson({ status: 404, error: `NOT_FOUND: ${id}`, requestId: 'r' }, 404)
      let get = answerJson({ result: pipe })
      upstream.become((hit, response) => {
        if (hit.method === 'GET') return get(hit, response)
        if (applies) get = method === 'DELETE' ? gone : answerJson({ result: { ...pipe, scaling: body } })
        response.socket?.destroy()
        return undefined
      })
      const path = `/api/c/managed/organization/services/${serviceId}/datapipes/${id}${below}`
      const answer = await gateway.call(method, path, body)
      expect(answer.json).toMatchObject({ code: 'outcomeUnknown', message: expect.stringMatching(words) })
    },
  )

  test('is checked after a gateway timeout of a proxy, too', async () => {
    upstream.become((hit, response) =>
      (hit.method === 'GET' ? answerJson({ data: { ...newAlert, id } }) : answerText('<html>', 'text/html', 504))(
        hit,
        response,
      ),
    )
    const answer = await gateway.call('PUT', alert, newAlert)
    expect(answer.json).toMatchObject({ code: 'outcomeUnknown', message: expect.stringMatching(applied) })
  })

  test('completes although the browser disconnects', async () => {
    const open = held(answerJson({ data: { id } }))
    const leaving = new AbortController()
    const headers = {
      ...gateway.own,
      cookie: gateway.cookie,
      [writeIdHeader]: 'left',
      'content-type': 'application/json',
    }
    const sent = fetch(gateway.address + alerts, {
      method: 'POST',
      headers,
      body: JSON.stringify(newAlert),
      signal: leaving.signal,
    })
    await until(() => writes().length > 0)
    leaving.abort()
    await sent.catch(() => {})
    open()
    const again = await gateway.call('POST', alerts, newAlert, { [writeIdHeader]: 'left' })
    expect(again.json.result).toEqual({ id })
    expect(writes()).toHaveLength(1)
  })
})

describe('identical concurrent reads', () => {
  const list = () => gateway.call('GET', alerts)

  test('reach the deployment once', async () => {
    const open = held(answerJson({ data: [{ id }] }))
    const joined = vi.spyOn(SharedReads.prototype, 'read')
    const all = Array.from({ length: 8 }, list)
    await until(() => joined.mock.calls.length === 8 && upstream.hits.length > 0)
    open()
    const answers = await Promise.all(all)
    expect(answers.map(({ json }) => json.result)).toEqual(Array.from({ length: 8 }, () => [{ id }]))
    expect(upstream.hits).toHaveLength(1)
  })

  test('are not shared across connections, paths or writes', async () => {
    const open = held((hit, response) => answerJson({ data: hit.method === 'GET' ? [] : { id } })(hit, response))
    const all = [
      list(),
      gateway.call('GET', '/api/c/managed/stack/alerts'),
      gateway.call('GET', '/api/c/oss/stack/sources'),
    ]
    await until(() => upstream.hits.length === 3)
    all.push(gateway.call('POST', alerts, newAlert))
    await until(() => upstream.hits.length === 4)
    all.push(list())
    await until(() => upstream.hits.length === 5)
    open()
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })

  test('continue when one of the clients disconnects', async () => {
    const open = held(answerJson({ data: [{ id }] }))
    const leaving = new AbortController()
    const headers = { ...gateway.own, cookie: gateway.cookie }
    const left = fetch(gateway.address + alerts, { headers, signal: leaving.signal }).catch(() => 'left')
    const stays = list()
    await until(() => upstream.hits.length > 0)
    leaving.abort()
    expect(await left).toBe('left')
    open()
    expect((await stays).json.result).toEqual([{ id }])
    expect(upstream.hits).toHaveLength(1)
  })
})
