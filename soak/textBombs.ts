/**
 * Sends texts that are made to take all time or memory to every route that takes texts of people: the endpoints of both
 * variants of the stack, the same through the console, and the routes of the console itself. Then pipes run with such texts, and
 * what was stored is exported and promoted. Afterwards the same processes must run, and none may have been away for long.
 * `SOAK_ROUTES=0` leaves out the routes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { templateBombs } from '#stack/testing/templates/templateBombs.ts'
import { observeProduct } from './processes/observedProcesses.ts'
import { startProduct, type Product } from './processes/product.ts'
import { ProductClient } from './processes/productClient.ts'
import { pipeBombs } from './pipeBombs.ts'
import { storedBombs } from './storedBombs.ts'
import { textFields } from './textFields.ts'
import { textRoutes, type TextRoute } from './textRoutes.ts'

/** Milliseconds for which no server may be away. */
const longestAway = 2000
/** Characters of a long text: several of them fit into the largest body. */
const long = 100_000

const textBombs: readonly { name: string; text: string }[] = [
  ...templateBombs.map(({ name, template }) => ({ name, text: template })),
  { name: 'one long word', text: 'a'.repeat(long) },
  { name: 'spaces', text: `${' '.repeat(long)}x` },
  { name: 'parentheses', text: '('.repeat(long) },
  { name: 'negations', text: 'NOT '.repeat(long / 4) },
  { name: 'conditions', text: 'a:b OR '.repeat(long / 7) },
  { name: 'sums', text: 'A+'.repeat(long / 2) },
  { name: 'nested calls', text: 'f('.repeat(long / 2) },
  { name: 'quotes', text: String.raw`\"`.repeat(long / 2) },
  { name: 'credentials in URLs', text: `http://${'a:b@'.repeat(long / 4)}` },
  { name: 'dots', text: 'a.'.repeat(long / 2) },
  { name: 'digits', text: '9'.repeat(long) },
  { name: 'a huge exponent', text: '1e999999999' },
  { name: 'a schedule', text: '*/1,'.repeat(long / 4) },
  { name: 'brackets', text: '[{"a":'.repeat(long / 6) },
  { name: 'half a surrogate pair, and NUL', text: '\ud800\u0000' },
  { name: 'a name of the prototype', text: '__proto__' },
]

export async function textBombsScenario(): Promise<string[]> {
  const product = await startProduct()
  try {
    const before = pidsOf(product)
    const { logs, ids } = await prepare(product)
    const cookie = await signIn(product)
    const fields = textFields(product, logs, ids)
    const routes = process.env['SOAK_ROUTES'] === '0' ? fields : [...textRoutes(product, cookie, ids), ...fields]
    const eyes = watchServers(product)
    const faults: string[] = []
    let count = 0
    for (const route of routes) {
      const statuses = await sendAll(route, (bomb) => eyes.at(`${route.name} with ${bomb}`))
      count += statuses.length
      console.log(`${route.name}: ${summary(statuses.map(({ status }) => status))}`)
      for (const { bomb, status } of statuses) {
        if (status === 0 || status >= 500) faults.push(`${route.name} with ${bomb}: ${status || 'no response'}`)
      }
    }
    faults.push(...(await pipeBombs(product, eyes.at)))
    // The accepted rows are stored now.
    faults.push(...(await storedBombs(product, cookie, eyes.at)))
    const { away, where } = await eyes.stop()
    console.log(`${routes.length} routes, ${count} requests, at most ${Math.round(away)} ms away at ${where}`)
    if (away > longestAway) faults.push(`away for ${Math.round(away)} ms at ${where}`)
    if (pidsOf(product) !== before) faults.push('a process ended')
    return faults
  } finally {
    await product.remove()
  }
}

async function sendAll({ send }: TextRoute, before: (bomb: string) => void) {
  const sent: { bomb: string; status: number }[] = []
  for (const { name, text } of textBombs) {
    before(name)
    sent.push({ bomb: name, status: await send(text) })
  }
  return sent
}

function pidsOf({ pid }: Product): string {
  const { console: server, stack } = observeProduct(pid)
  return [...server.pids, ...stack.pids].join(' ')
}

async function signIn({ consoleUrl, ports, credentials, password }: Product): Promise<string> {
  const client = new ProductClient(consoleUrl, `http://127.0.0.1:${ports.api}`, credentials)
  return client.newSession(password)
}

/** @returns the source of logs, and the IDs of records that routes change, by the name that paths have for them */
async function prepare({
  ports,
  credentials,
}: Product): Promise<{ logs: { id: string }; ids: Record<string, string> }> {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${ports.api}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${credentials.personalAccessKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return Object(await response.json()).data
  }
  const create = async (path: string, body: object) => String(Object(await call('POST', path, body)).id)
  // The stack has one from its first start on.
  const sources = (await call('GET', '/sources')) as { id: string; kind: string }[]
  const logs = sources.find(({ kind }) => kind === 'log')
  if (!logs) throw new Error('the stack has no source of logs')
  return {
    logs,
    ids: {
      savedSearchId: await create('/saved-searches', { name: 'Bombs', sourceId: logs.id, where: '' }),
      dashboardId: await create('/dashboards', { name: 'Bombs', tiles: [] }),
      webhookId: await create('/webhooks', { name: 'Bombs', service: 'generic', url: 'http://127.0.0.1:9/x' }),
    },
  }
}

/** Asks both servers all the time, and finds the longest time without a response. */
function watchServers({ consoleUrl, ports }: Product) {
  const over = new AbortController()
  let place = ''
  const longest = { away: 0, where: '' }
  const watch = async (url: string) => {
    while (!over.signal.aborted) {
      const begin = performance.now()
      const during = place
      await fetch(url).then(
        (response) => response.arrayBuffer(),
        () => undefined,
      )
      const away = performance.now() - begin
      if (away > longest.away)
        Object.assign(longest, { away, where: during === place ? place : `${during}, or ${place}` })
      await sleep(20)
    }
  }
  const watching = [`${consoleUrl}/healthz`, `http://127.0.0.1:${ports.api}/healthz`].map(watch)
  return {
    at: (what: string) => void (place = what),
    async stop() {
      over.abort()
      await Promise.all(watching)
      return longest
    },
  }
}

function summary(statuses: readonly number[]): string {
  const counts = new Map<number, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}
