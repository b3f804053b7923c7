/**
 * Several clients write records through a gateway that is killed again and again. Afterwards its history must have what the
 * deployments have.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Change, ChangePage } from '#contract/console/history.ts'
import type { TestStack } from '#stack/testing/testStack.ts'
import { createDashboard, tileAlert } from '#stack/testing/sampleInputs.ts'
import { startEnvironments } from './environments.ts'
import type { GatewayOrder } from './orderedGateway.ts'
import { auditHistory, checkAuditLog } from './historyAudit.ts'
import { GatewayRefused, startKillable, type KillableGateway } from './killableGateway.ts'

interface Written {
  writes: number
  kills: number
  /** Writes whose outcome is uncertain, although the stored record is known. */
  unknown: number
  /** The violations that were found. */
  faults: string[]
}

const clients = 6
const connections = ['staging', 'production'] as const
/** Milliseconds from the write that a kill waits for to the kill. */
const longestDelay = 20

/** A kind of records: the bodies of a creation and of an update. */
type Bodies = Record<string, (name: string) => Record<string, unknown>>

interface Side {
  connectionId: string
  bodies: Bodies
  records: { kind: string; id: string }[]
}

/** @param kills by `kill -9`, at random moments of the writes */
export async function writeThroughKills(writes: number, kills: number): Promise<Written> {
  const environments = await startEnvironments()
  // The test's own gateway must not hold the data of the others.
  const order: GatewayOrder = { ...environments.order, dataDir: `${environments.dataDir}-killed` }
  const gateways = new Gateways(order)
  try {
    const sides = await Promise.all(
      connections.map(async (connectionId) => {
        const bodies = await bodiesFor(environments[connectionId])
        return { connectionId, bodies, records: [] }
      }),
    )
    // Earlier entries are no changes.
    for (const { connectionId } of sides) await gateways.call(connectionId, 'POST', '/snapshot')
    const moments = Array.from({ length: kills }, () => randomInt(1, writes)).toSorted((one, other) => one - other)
    let count = 0
    let killing = Promise.resolve()
    const client = async () => {
      while (count < writes) {
        count += 1
        while (moments[0] !== undefined && moments[0] <= count) {
          moments.shift()
          killing = killing.then(() => sleep(Math.random() * longestDelay)).then(() => gateways.kill())
        }
        await write(gateways, pick(sides), `Record ${count}`)
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    await killing
    const faults: string[] = []
    let unknown = 0
    for (const { connectionId } of sides) {
      faults.push(...(await pendingChanges(gateways, connectionId)))
      unknown += (await changes(gateways, connectionId, 'unknown')).length
    }
    // The state on disk counts, not the one in memory.
    await gateways.end()
    for (const connectionId of connections) faults.push(...(await auditHistory(order, connectionId)))
    faults.push(...(await checkAuditLog(order)))
    return { writes: count, kills: gateways.kills, unknown, faults }
  } finally {
    await gateways.end()
    await environments.close()
  }
}

/** The gateway that runs now. */
class Gateways {
  kills = 0
  #current: Promise<KillableGateway>
  readonly #order: GatewayOrder

  constructor(order: GatewayOrder) {
    this.#order = order
    this.#current = startKillable(order)
  }

  get running(): Promise<KillableGateway> {
    return this.#current
  }

  /** A request to the history of a connection. */
  async call<T>(connectionId: string, method: string, path: string): Promise<T> {
    const { call } = await this.#current
    return call<T>(method, `/api/connections/${connectionId}/history${path}`)
  }

  /** Ends the gateway by `kill -9`, and starts another one on the same data. */
  async kill(): Promise<void> {
    const old = await this.#current
    this.kills += 1
    this.#current = old.kill().then(() => startKillable(this.#order))
    await this.#current
  }

  /** Ends the one that runs, if any, and starts no other. */
  async end(): Promise<void> {
    const { kill } = await this.#current
    await kill()
  }
}

/** One creation, update or deletion of a random record. A kill may take its answer. */
async function write(gateways: Gateways, { connectionId, bodies, records }: Side, name: string): Promise<void> {
  const { call } = await gateways.running
  const path = `/api/c/${connectionId}/stack`
  const choice = randomInt(10)
  try {
    // Meanwhile somebody looks at a list.
    if (randomInt(3) === 0) void call('GET', `${path}/${pick(Object.keys(bodies))}`).catch(() => {})
    if (choice < 4 || records.length === 0) {
      const kind = pick(Object.keys(bodies))
      const { result } = await call<{ result: { id: string } }>('POST', `${path}/${kind}`, bodies[kind]?.(name))
      records.push({ kind, id: result.id })
      return
    }
    const at = randomInt(records.length)
    const { kind, id } = records[at]! // within the list
    if (choice < 8) return void (await call('PUT', `${path}/${kind}/${id}`, bodies[kind]?.(name)))
    records.splice(at, 1)
    await call('DELETE', `${path}/${kind}/${id}`)
  } catch (error) {
    // Another client deleted the record.
    const isGone = error instanceof GatewayRefused && error.message.includes('notFound')
    if (error instanceof GatewayRefused && !isGone) throw error
  }
}

async function bodiesFor(stack: TestStack): Promise<Bodies> {
  const dashboard = await createDashboard(stack)
  const { json } = await stack.openSource('GET', `/sources/${stack.sourceIds['log']}`)
  const { id: _, ...source } = { ...json.data, defaultTableSelectExpression: '*' } as Record<string, unknown>
  const config = (text: string) => ({ displayType: 'markdown', markdown: text })
  const tile = (name: string, at: number) => ({ name, x: 0, y: 3 * at, w: 6, h: 3, config: config(`${name}, ${at}`) })
  return {
    dashboards: (name) => ({ name, tiles: Array.from({ length: 1 + randomInt(4) }, (_tile, at) => tile(name, at)) }),
    alerts: (name) => tileAlert(stack, dashboard, { name, threshold: randomInt(1_000) }),
    webhooks: (name) => ({ name, service: 'generic', url: `https://hooks.example/services/${randomInt(1e9)}` }),
    sources: (name) => ({ ...source, name, section: `Section ${randomInt(9)}` }),
  }
}

/** Writes that the journal still does not know the outcome of, although the deployment could be asked. */
async function pendingChanges(gateways: Gateways, connectionId: string): Promise<string[]> {
  for (let attempt = 0; ; attempt++) {
    const left = await changes(gateways, connectionId, 'pending')
    if (left.length === 0) return []
    if (attempt === 200) return left.map(({ name }) => `the change of ${name} is still pending`)
    await sleep(50)
  }
}

async function changes(gateways: Gateways, connectionId: string, outcome: string): Promise<Change[]> {
  const { items } = await gateways.call<ChangePage>(connectionId, 'GET', `?outcome=${outcome}&limit=500`)
  return items
}

function pick<T>(values: readonly T[]): T {
  return values[randomInt(values.length)]! // never called with an empty list
}
