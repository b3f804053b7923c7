/** Every role on every route of the gateway, on production and elsewhere. */
import fastify, { type FastifyPluginAsync } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { roles, roleNeeded, isAtLeast, type Need, type Role } from '#contract/console/consoleRoles.ts'
import type { Stage } from '#contract/console/stages.ts'
import { startTestGateway, startUpstream, type TestGateway, type TestUpstream } from '../../testing/testGateway.ts'
import { signInAs, type SignedIn } from '../../testing/testPeople.ts'
import { enforceRoles } from './enforcement.ts'
import { routeRule, type Rule } from './routeRules.ts'

interface Route {
  method: string
  url: string
  rule: Rule
}

const routes: Route[] = []
const withoutRule: string[] = []
/** Collects what the gateway registers. */
const collect: FastifyPluginAsync = Object.assign(
  async (app: Parameters<FastifyPluginAsync>[0]) => {
    app.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) {
        const rule = routeRule(one, url)
        if (rule) routes.push({ method: one, url, rule })
        else withoutRule.push(`${one} ${url}`)
      }
    })
  },
  // For the routes of the gateway, and not only those of a plugin.
  { [Symbol.for('skip-override')]: true },
)

let upstream: TestUpstream
let gateway: TestGateway
const people = new Map<Role, SignedIn>()
/** The seeded connections. Writes on production are allowed for some minutes. */
const connections: { id: string; stage: Stage }[] = [
  { id: 'oss', stage: 'production' },
  { id: 'managed', stage: 'development' },
]

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTestGateway(upstream, { observer: collect })
  for (const { id, stage } of connections) {
    const list = (await gateway.call('GET', '/api/connections')).json as unknown as { id: string }[] // a list
    const known = list.find((candidate) => candidate.id === id)
    expect((await gateway.call('PUT', `/api/connections/${id}`, { ...known, stage })).status).toBe(200)
  }
  expect((await gateway.call('PUT', '/api/connections/oss/read-only', { readOnly: false })).status).toBe(200)
  // Somebody has to be left who is administrator.
  for (const role of roles) people.set(role, await signInAs(gateway, { role, roles: {} }))
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

/** Path and body of a request to a route, for a connection. */
function requestTo({ method, url }: Route, connectionId: string): [path: string, body: unknown] {
  const path = url
    .replace(':connectionId', connectionId)
    .replace(':kind', 'alerts')
    .replace(':version', 'v'.repeat(24))
    .replaceAll(/:\w+/g, '65f5e4a3b9e77c001a000001')
  const query = url.includes('/comparison') ? `?baseline=${connectionId}&kind=alerts&name=x` : ''
  return [path + query, method === 'GET' || method === 'HEAD' || method === 'DELETE' ? undefined : {}]
}

const connectionNeed = (rule: Rule): Need | undefined =>
  typeof rule === 'object' && 'connection' in rule ? rule.connection : undefined

test('every route has a rule; the others are files of the page', () => {
  expect(routes.length).toBeGreaterThan(100)
  expect(
    withoutRule.filter(
      (route) =>
        !/^(GET|HEAD|POST) \/(assets\/\*|icon\.svg|healthz|readyz|join-team|sign-out\/:providerId)$/.test(route),
    ),
  ).toEqual([])
})

test('only people change who approves, approve, and give access without an account', () => {
  const forPeople = ({ method, rule }: Route) => method !== 'HEAD' && typeof rule === 'object' && 'peopleOnly' in rule
  expect(
    routes
      .filter(forPeople)
      .map(({ method, url }) => `${method} ${url}`)
      .toSorted(),
  ).toEqual([
    'POST /api/change-requests/:requestId/approve',
    'POST /api/change-requests/:requestId/decline',
    'POST /api/connections/:connectionId/break-glass',
    'POST /api/connections/:connectionId/shared-links',
    'PUT /api/connections/:connectionId/approval',
  ])
})

test('a route without a rule cannot be registered', async () => {
  const app = fastify()
  enforceRoles(app, {
    stages: { stageOf: () => 'local', allowsSqlToReaders: () => false },
    runPlace: async () => undefined,
    changeRequestPlace: async () => undefined,
  })
  const register = async () => {
    app.get('/api/connections/:connectionId/backdoor', async () => ({}))
    await app.ready()
  }
  await expect(register()).rejects.toThrow('GET /api/connections/:connectionId/backdoor has no rule')
})

describe('every route but those of the sign-in', { timeout: 240_000 }, () => {
  const token = async (who: SignedIn) => {
    const given = { name: 'script', role: 'administrator', connections: null, days: 1 }
    const { json } = await who.call('POST', '/api/account/tokens', given)
    return { id: String(json['id']), headers: { cookie: '', authorization: `Bearer ${String(json['secret'])}` } }
  }

  test('refuses whoever is not signed in any more', async () => {
    const administrator = { role: 'administrator', roles: {} } as const
    const [left, disabled, deleted] = [
      await signInAs(gateway, administrator),
      await signInAs(gateway, administrator),
      await signInAs(gateway, administrator),
    ]
    const [revoked, ofDisabled, ofDeleted] = [await token(left), await token(disabled), await token(deleted)]
    await left.call('DELETE', `/api/account/tokens/${revoked.id}`)
    await left.call('DELETE', '/api/session')
    await gateway.call('PUT', `/api/people/${disabled.id}/disabled`, { disabled: true })
    await gateway.call('DELETE', `/api/people/${deleted.id}`)
    const senders: Record<string, Record<string, string>> = {
      nobody: { cookie: '' },
      'an ended session': { cookie: left.cookie },
      'a session of a disabled person': { cookie: disabled.cookie },
      'a session of a deleted person': { cookie: deleted.cookie },
      'a revoked token': revoked.headers,
      'a token of a disabled person': ofDisabled.headers,
      'a token of a deleted person': ofDeleted.headers,
    }
    upstream.hits.length = 0
    for (const route of routes.filter(({ rule }) => rule !== 'open')) {
      const [path, body] = requestTo(route, 'managed')
      await Promise.all(
        Object.entries(senders).map(async ([who, headers]) => {
          const { status, text } = await gateway.call(route.method, path, body, headers)
          expect(status, `${route.method} ${path} for ${who}: ${text}`).toBe(401)
        }),
      )
    }
    expect(upstream.hits.filter((hit) => !hit.url.includes('/prometheus?filtered_metrics=true'))).toEqual([])
  })

  test('takes the token of an administrator, unless people have to do it themselves', async () => {
    const { headers } = await token(people.get('administrator')!)
    const forPeople = ({ rule }: Route) =>
      rule === 'own' || rule === 'people' || (typeof rule === 'object' && 'peopleOnly' in rule)
    expect(routes.filter(forPeople).length).toBeGreaterThan(20)
    for (const route of routes.filter(forPeople)) {
      const [path, body] = requestTo(route, 'managed')
      const { status, text } = await gateway.call(route.method, path, body, headers)
      expect(
        [status, route.method === 'HEAD' || text.includes('Tokens cannot be used')],
        `${route.method} ${path}: ${text}`,
      ).toEqual([403, true])
    }
  })
})

describe.each(roles)('%s', { timeout: 60_000 }, (role) => {
  test('may do on each connection what the role allows, and nothing else', async () => {
    const { call } = people.get(role)!
    for (const route of routes) {
      const need = connectionNeed(route.rule)
      // The deletion of the connection would end the test.
      if (need === undefined || (route.method === 'DELETE' && route.url === '/api/connections/:connectionId')) continue
      for (const { id, stage } of connections) {
        const [path, body] = requestTo(route, id)
        upstream.hits.length = 0
        const reply = await call(route.method, path, body)
        const what = `${route.method} ${path} on ${stage}: ${reply.text}`
        const needed = roleNeeded(need, stage)
        if (role === 'none') {
          expect(reply.status, what).toBe(404)
          if (route.method !== 'HEAD') expect(reply.json['message'], what).toMatch(/^This connection does not exist/)
        } else if (!isAtLeast(role, needed)) {
          expect(reply.status, what).toBe(403)
          if (route.method === 'HEAD') continue
          expect(reply.code, what).toBe('forbidden')
          expect(reply.json['message'], what).toContain(`needs the role ${needed}`)
        } else {
          expect(reply.json['message'] ?? '', what).not.toMatch(/needs the role|connection does not exist/)
          continue
        }
        // The metrics of pipes are still read for those who were allowed to see them.
        const sent = upstream.hits.filter((hit) => !hit.url.includes('/prometheus?filtered_metrics=true'))
        expect(sent, what).toEqual([])
      }
    }
  })

  test('sees of connections and people what the role allows', async () => {
    const { call } = people.get(role)!
    const list = (await call('GET', '/api/connections')).json as unknown as { id: string; role?: Role }[] // a list
    expect(list.length).toBe(role === 'none' ? 0 : 4)
    for (const one of list) expect(one.role ?? 'administrator').toBe(role)
    const isAdministrator = role === 'administrator'
    for (const { method, url, rule } of routes.filter(
      (route) => route.rule === 'people' || route.rule === 'administrator',
    )) {
      const reply = await call(method, ...requestTo({ method, url, rule }, 'oss'))
      const what = `${method} ${url}: ${reply.text}`
      if (isAdministrator) expect(reply.code, what).not.toBe('forbidden')
      else expect(reply.status, what).toBe(403)
    }
  })

  test('is asked on every connection that a body names', async () => {
    const { call } = people.get(role)!
    const reply = async (path: string, body: unknown) => (await call('POST', path, body)).json['message']
    const match = (one: string, other: string) => ({
      kind: 'alerts',
      name: 'x',
      records: [one, other].map((connectionId) => ({ connectionId, id: 'x' })),
    })
    const promotion = { from: 'oss', records: [{ kind: 'alerts', id: 'x' }], targets: [{ connectionId: 'managed' }] }
    const draft = { name: 'x', variant: 'openSource', baseUrl: upstream.url, allowPrivate: true }
    const said = {
      plan: await reply('/api/promotions/plan', promotion),
      start: await reply('/api/promotions', { ...promotion, digests: {} }),
      match: await reply('/api/record-matches', match('oss', 'managed')),
      draft: await reply('/api/connection-test', { ...draft, connectionId: 'oss' }),
      newDraft: await reply('/api/connection-test', draft),
    }
    const refused = Object.entries(said).flatMap(([name, message]) =>
      /needs the role|connection does not exist/.test(String(message)) ? [name] : [],
    )
    const expected: Record<Role, string[]> = {
      none: ['plan', 'start', 'match', 'draft', 'newDraft'],
      viewer: ['start', 'match', 'draft', 'newDraft'],
      editor: ['draft', 'newDraft'],
      operator: ['draft', 'newDraft'],
      administrator: [],
    }
    expect(refused).toEqual(expected[role])
  })
})
