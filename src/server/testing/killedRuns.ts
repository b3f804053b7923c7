/** Promotes, imports files, and undoes both, between two stacks, while the gateway is killed again and again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileImportPlan } from '#contract/console/recordFiles.ts'
import type { RunDetail, TargetPlan } from '#contract/console/runs.ts'
import type { TestStack } from '#stack/testing/testStack.ts'
import { startEnvironments } from './environments.ts'
import type { GatewayOrder } from './orderedGateway.ts'
import { GatewayRefused, startKillable, type KillableGateway } from './killableGateway.ts'

interface Killed {
  kills: number
  /** The violations that were found. */
  faults: string[]
}

/** Milliseconds until a kill: within a run, which takes about this long. */
const longest = 250

/**
 * @param kills of the gateway, by `kill -9` at random moments
 * @returns records that are there twice, or not at all, and changes without an outcome
 */
export async function killRuns(kills: number): Promise<Killed> {
  const environments = await startEnvironments()
  const faults: string[] = []
  let done = 0
  try {
    const { staging, production, order } = environments
    // The test's own gateway must not hold the data of the others.
    const own = { ...order, dataDir: `${order.dataDir}-killed` }
    await fill(staging)
    const count = await names(staging)
    const { bytes } = await environments.download('/api/connections/staging/export')
    const zip = Buffer.from(bytes).toString('base64')
    const tasks = { promotion: promote, fileImport: (gateway: KillableGateway) => importFiles(gateway, zip) }
    for (let round = 0; done < kills; round++) {
      for (const [kind, begin] of Object.entries(tasks)) {
        done += await throughKills(own, kills - done, begin)
        faults.push(...different(count, await names(production), `${kind} ${round}`))
        done += await throughKills(own, kills - done, (gateway) => takeBack(gateway, kind))
        const left = await names(production)
        if (left.length > 1) faults.push(`undo of ${kind} ${round} left ${left.join(', ')}`)
      }
    }
    faults.push(...(await pendingChanges(own)))
    return { kills: done, faults }
  } finally {
    await environments.close()
  }
}

/** Lets a task begin, kills the gateway meanwhile, sometimes while it stops, and again while it is resumed; then lets it finish. */
async function throughKills(
  order: GatewayOrder,
  kills: number,
  begin: (gateway: KillableGateway) => Promise<void>,
): Promise<number> {
  let gateway = await startKillable(order)
  await begin(gateway)
  const times = Math.min(kills, 1 + Math.floor(Math.random() * 3))
  for (let kill = 0; kill < times; kill++) {
    await sleep(Math.random() * longest)
    if (Math.random() < 0.3) await stop(gateway)
    await gateway.kill()
    gateway = await startKillable(order)
    await resume(gateway)
  }
  await settled(gateway)
  await gateway.kill()
  return times
}

async function promote({ call }: KillableGateway): Promise<void> {
  const { result } = await call<{ result: { id: string }[] }>('GET', '/api/c/staging/stack/alerts')
  const input = {
    from: 'staging',
    records: result.map(({ id }) => ({ kind: 'alerts', id })),
    targets: [{ connectionId: 'production' }],
  }
  const { targets } = await call<{ targets: TargetPlan[] }>('POST', '/api/promotions/plan', input)
  await call('POST', '/api/promotions', { ...input, digests: { production: targets[0]?.digest } })
}

/** Writes what an export of staging has. */
async function importFiles({ call }: KillableGateway, zip: string): Promise<void> {
  const path = '/api/connections/production/file-imports'
  const { digest } = await call<FileImportPlan>('POST', `${path}/plan`, { zip })
  await call('POST', path, { zip, digests: { production: digest } })
}

/** Undoes the newest run of a kind. */
async function takeBack({ call }: KillableGateway, kind: string): Promise<void> {
  const runs = await call<RunDetail[]>('GET', '/api/runs')
  const newest = runs.find((run) => run.kind === kind)
  if (!newest) throw new Error(`there was no ${kind}`)
  const { digest } = await call<TargetPlan>('POST', `/api/runs/${newest.id}/undo/plan`)
  await call('POST', `/api/runs/${newest.id}/undo`, { digest })
}

/** Stops the newest run, unless it has ended. */
async function stop({ call }: KillableGateway): Promise<void> {
  const [newest] = await call<RunDetail[]>('GET', '/api/runs')
  await call('POST', `/api/runs/${newest?.id}/stop`).catch((error: unknown) => {
    if (!(error instanceof GatewayRefused)) throw error
  })
}

async function resume({ call }: KillableGateway): Promise<void> {
  const [newest] = await call<RunDetail[]>('GET', '/api/runs')
  if (newest && newest.state !== 'done') await call('POST', `/api/runs/${newest.id}/resume`)
}

async function settled({ call }: KillableGateway): Promise<void> {
  for (;;) {
    const [newest] = await call<RunDetail[]>('GET', '/api/runs')
    if (newest?.state === 'done') return
    if (newest?.state === 'failed') {
      const { steps } = await call<RunDetail>('GET', `/api/runs/${newest.id}`)
      throw new Error(JSON.stringify(steps.filter(({ reason }) => reason !== undefined)))
    }
    await sleep(20)
  }
}

/** Writes whose outcome the journal does not know although the deployment could be asked. */
async function pendingChanges(order: GatewayOrder): Promise<string[]> {
  const gateway = await startKillable(order)
  const query = '/api/connections/production/history?outcome=pending'
  for (let attempt = 0; attempt < 100; attempt++) {
    const { items } = await gateway.call<{ items: { name: string }[] }>('GET', query)
    if (items.length === 0) break
    if (attempt === 99) return items.map(({ name }) => `the change of ${name} is still pending`)
    await sleep(50)
  }
  await gateway.kill()
  return []
}

async function fill({ openSource, sourceIds, webhookId }: TestStack): Promise<void> {
  for (let at = 0; at < 12; at++) {
    const config = { displayType: 'line', sourceId: sourceIds['log'], select: [{ aggFn: 'count', where: `n:${at}` }] }
    const board = await openSource('POST', '/dashboards', {
      name: `Board ${at}`,
      tiles: [{ name: 'Errors', x: 0, y: 0, w: 6, h: 3, config }],
    })
    const { id, tiles } = board.json.data
    const alert = { source: 'tile', dashboardId: id, tileId: tiles[0].id, name: `Alert ${at}`, threshold: at }
    const channel = { type: 'webhook', webhookId }
    await openSource('POST', '/alerts', { ...alert, thresholdType: 'above', interval: '5m', channel })
  }
}

/** The names of all dashboards and alerts of a stack. */
async function names({ openSource }: TestStack): Promise<string[]> {
  const lists = await Promise.all([openSource('GET', '/dashboards'), openSource('GET', '/alerts')])
  const rows = lists.flatMap(({ json }) => json.data as { name: string }[])
  return rows.map(({ name }) => name).toSorted()
}

function different(wanted: readonly string[], found: readonly string[], when: string): string[] {
  const missing = wanted.filter((name) => !found.includes(name)).map((name) => `${name} is missing after ${when}`)
  const doubled = found
    .filter((name, at) => found.indexOf(name) !== at)
    .map((name) => `${name} is there twice after ${when}`)
  return [...missing, ...doubled]
}
