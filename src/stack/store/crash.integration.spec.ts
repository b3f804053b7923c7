/** After kill -9, acknowledged writes are stored completely; others are stored completely or not at all. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { alert, type Alert } from '#contract/stack/alerts.ts'
import { messageOf } from '../testing/childProcesses.ts'
import { ownPostgres } from '#node/testing/testPostgres.ts'
import { program } from '#node/testing/program.ts'

const entry = program(join(import.meta.dirname, '../testing/stackServer.ts'))
const writes = 400
const writers = 8

const postgres = ownPostgres({ settings: ['fsync=on'] })

let dataDir: string
let child: ChildProcess | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stack-crash-'))
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

interface Stack {
  call(method: string, path: string, body?: object): Promise<{ status: number; json: any }> // oxlint-disable-line typescript/no-explicit-any -- whatever came
  kill(): Promise<void>
}

async function serve(databaseUrl?: string): Promise<Stack> {
  const started = fork(entry.file, databaseUrl ? [dataDir, databaseUrl] : [dataDir], { execArgv: entry.execArgv })
  child = started
  const { url, key } = await messageOf(started, 'ready')
  return {
    async call(method, path, body) {
      const response = await fetch(`${url}/api/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, json: await response.json() }
    },
    async kill() {
      started.kill('SIGKILL')
      await once(started, 'exit')
    },
  }
}

/** Who is killed, and what has to be done for the records to be there again. */
const victims: { victim: string; prepare(): Promise<{ stack: Stack; crash(stack: Stack): Promise<Stack> }> }[] = [
  {
    victim: 'of a stack with its file',
    prepare: async () => ({
      stack: await serve(),
      crash: async (stack) => {
        await stack.kill()
        return serve()
      },
    }),
  },
  {
    victim: 'of a stack with a PostgreSQL server',
    prepare: async () => {
      const url = await postgres.createDatabase()
      return {
        stack: await serve(url),
        crash: async (stack) => {
          await stack.kill()
          return serve(url)
        },
      }
    },
  },
  {
    victim: 'of the PostgreSQL server, the stack running on',
    prepare: async () => ({
      stack: await serve(await postgres.createDatabase()),
      crash: async (stack) => {
        await postgres.server.kill()
        await postgres.server.start()
        return stack
      },
    }),
  },
]

test.each(victims)('kill -9 $victim during 400 alert writes', { timeout: 120_000 }, async ({ prepare }) => {
  /** Alerts as they were acknowledged, by id. */
  const acknowledged = new Map<string, Alert>()
  let begun = 0
  const progress = { acknowledgements: 0 }
  /** How many acknowledgements bring the end of the process, with other writes still under way. */
  let killAt = 0
  let crashed: Promise<Stack> | undefined
  const prepared = await prepare()
  let server = prepared.stack
  const webhookId = (await server.call('GET', '/webhooks')).json.data[0].id
  const sourceId = (await server.call('GET', '/sources')).json.data[0].id
  const tile = { name: 't', x: 0, y: 0, w: 1, h: 1 }
  const config = { displayType: 'line', sourceId, select: [{ aggFn: 'count' }] }
  const made = await server.call('POST', '/dashboards', { name: 'D', tiles: [{ ...tile, config }] })
  const dashboard = made.json.data

  const acknowledge = (one: Alert) => {
    acknowledged.set(one.id, one)
    progress.acknowledgements++
    if (progress.acknowledgements === killAt) crashed = prepared.crash(server)
  }

  /** Creates, and changes every second of its alerts, until the server is gone. */
  const write = async (): Promise<void> => {
    for (;;) {
      const body = {
        source: 'tile',
        dashboardId: dashboard.id,
        tileId: dashboard.tiles[0].id,
        interval: '5m',
        threshold: begun++,
        thresholdType: 'above',
        channel: { type: 'webhook', webhookId },
        message: 'm'.repeat(2000),
      }
      const created = (await server.call('POST', '/alerts', body)).json.data
      acknowledge(created)
      if (begun % 2 === 0) continue
      const changed = await server.call('PUT', `/alerts/${created.id}`, { ...body, name: 'changed' })
      acknowledge(changed.json.data)
    }
  }

  for (let kills = 1; progress.acknowledgements < writes; kills++) {
    killAt = progress.acknowledgements + 80 + Math.ceil(Math.random() * 80)
    // Each writer ends with the connection that broke under it.
    await Promise.all(Array.from({ length: writers }, () => write().catch(() => {})))
    server = (await crashed) ?? server

    const list = await server.call('GET', '/alerts')
    const stored = new Map<string, Alert>(list.json.data.map((one: Alert) => [one.id, one]))
    for (const one of stored.values()) expect(alert.safeParse(one).success).toBe(true)
    for (const [id, one] of acknowledged) {
      // An unacknowledged change may have been stored nevertheless.
      const kept = stored.get(id)
      expect(kept).toMatchObject({ threshold: one.threshold, message: one.message })
      if (one.name === 'changed') expect(kept).toEqual(one)
    }
    expect(stored.size - acknowledged.size).toBeLessThanOrEqual(writers * kills)
    expect(list.json.meta.total).toBe(stored.size)
  }
})
