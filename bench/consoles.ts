/** Reads and writes through a console with its own file, with a PostgreSQL server, and with a second console beside it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Gateway } from '#gateway/gatewayOptions.ts'
import { minimalPages } from '#gateway/testing/minimalPages.ts'
import { startPostgres } from '#node/testing/postgresProcess.ts'
import { headersFor, signIn, startOrdered, type GatewayOrder } from '../src/server/testing/orderedGateway.ts'
import { median, milliseconds, time, times, type Row } from './support/measure.ts'
import { withStack, type BenchStack } from './support/stack.ts'

const runs = 200
const warmUp = 30
const unlimited = { limit: 1_000_000, window: 60_000 }

interface Measured {
  name: string
  request(method: string, id: string, body?: unknown): Promise<void>
  /** Milliseconds of each. */
  reads: number[]
  writes: number[]
}

export function consoles(): Promise<Row[]> {
  return withStack(async (stack) => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-consoles-'))
    // The database server has a user of its own.
    chmodSync(folder, 0o755)
    const server = join(folder, 'postgres')
    mkdirSync(server)
    const postgres = await startPostgres(server, { settings: ['fsync=on'] })
    const gateways: Gateway[] = []
    const start = async (name: string, databaseUrl?: string) => {
      const gateway = await startOrdered(orderOf(stack, join(folder, name), databaseUrl))
      gateways.push(gateway)
      return measured(name, gateway, await signIn(gateway))
    }
    try {
      for (const name of ['alone', 'shared']) await postgres.sql(`CREATE DATABASE ${name}`)
      const kinds = [
        await start('file'),
        await start('server', postgres.url('alone')),
        await start('two', postgres.url('shared')),
      ]
      await start('other', postgres.url('shared'))
      await measure(stack, kinds)
      return rowsOf(kinds)
    } finally {
      for (const gateway of gateways) await gateway.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

function orderOf({ url, identity }: BenchStack, folder: string, databaseUrl?: string): GatewayOrder {
  mkdirSync(folder)
  const accessKey = identity.personalAccessKey
  return {
    dataDir: join(folder, 'data'),
    distDir: minimalPages(folder),
    seeds: [{ id: 'bench', name: 'bench', variant: 'openSource', baseUrl: url, allowPrivate: true, accessKey }],
    budgets: { [url]: { openSource: unlimited, managed: unlimited } },
    ...(databaseUrl !== undefined && { databaseUrl, secret: 'the secret of all consoles' }),
  }
}

function measured(name: string, gateway: Gateway, cookie: string): Measured {
  return {
    name,
    reads: [],
    writes: [],
    async request(method, id, body) {
      const response = await fetch(`${gateway.address}/api/c/bench/stack/dashboards/${id}`, {
        method,
        headers: { ...headersFor(gateway), cookie },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method}: ${response.status} ${text}`)
    },
  }
}

/** In turn, so that a slow moment of the machine affects all. */
async function measure(stack: BenchStack, kinds: readonly Measured[]): Promise<void> {
  const made = await Promise.all(
    kinds.map(async ({ name }) => {
      const { data } = JSON.parse(await stack.post('/api/v2/dashboards', { name, tags: [], tiles: [] })) as {
        data: { id: string }
      } // a response of the stack, checked by its tests
      return data.id
    }),
  )
  for (let run = -warmUp; run < runs; run++) {
    for (const [at, kind] of kinds.entries()) {
      const id = made[at] ?? ''
      const read = await time(() => kind.request('GET', id))
      const write = await time(() => kind.request('PUT', id, { name: `${kind.name} ${run}`, tags: [], tiles: [] }))
      if (run < 0) continue
      kind.reads.push(read)
      kind.writes.push(write)
    }
  }
}

function rowsOf([file, ...others]: readonly Measured[]): Row[] {
  const words = new Map([
    ['server', 'with its records on a PostgreSQL server'],
    ['two', 'with a second console on the same PostgreSQL server'],
  ])
  return others.flatMap(({ name, reads, writes }) =>
    [
      { what: 'Read of a dashboard', values: reads, base: file?.reads ?? [] },
      { what: 'Save of a dashboard', values: writes, base: file?.writes ?? [] },
    ].map(({ what, values, base }) => ({
      what: `${what} through a console ${words.get(name)}, beside one with a file (median; 95th percentile)`,
      result: `${both(values)} / ${both(base)} = ${times(median(values) / median(base))}`,
      aim: '',
    })),
  )
}

function both(values: readonly number[]): string {
  const slow = values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN
  return `${milliseconds(median(values))}; ${milliseconds(slow)}`
}
