/** The ways in which a data directory is damaged: databases, keys, history, audit log and the files of the engine. */
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'

export type Product = 'stack' | 'console'

export interface Way {
  name: string
  product: Product
  /** @param dir a data directory that was in use */
  damage(dir: string): void | Promise<void>
  /** `stops`: unless the loss is accepted. `needs`: stops, because nothing can replace what is missing. `notice`: serves the records. */
  outcome: 'stops' | 'needs' | 'notice'
  says: RegExp
}

/** Overwrites the first page of a table, which holds rows or the way to them. */
async function overwriteTable(file: string, table: string): Promise<void> {
  const client = createClient({ url: pathToFileURL(file).href })
  const { rows } = await client.execute({ sql: 'SELECT rootpage FROM sqlite_schema WHERE name = ?', args: [table] })
  client.close()
  const page = Number(rows[0]?.['rootpage'])
  const bytes = readFileSync(file)
  bytes.fill(0xa5, (page - 1) * 4096, page * 4096)
  writeFileSync(file, bytes)
}

/**
 * A last write that is only in the log of SQLite, with a marker that includes it. In a process that is killed: a connection of
 * this one would copy the write into the file when it is collected.
 * @returns the path of the log
 */
function writeToLog(dir: string, product: Product): string {
  const file = join(dir, `${product}.db`)
  const script = `
    import { createClient } from '@libsql/client/sqlite3'
    await createClient({ url: process.argv[1] }).execute('UPDATE store_identity SET sequence = sequence + 1')
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['--input-type=module', '--eval', script, pathToFileURL(file).href], {
    cwd: import.meta.dirname,
  })
  const path = join(dir, `${product}.marker`)
  const marker = JSON.parse(readFileSync(path, 'utf8')) as { sequence: number } // `files/dataLoss.ts` wrote it
  writeFileSync(path, JSON.stringify({ ...marker, sequence: marker.sequence + 1 }))
  if (statSync(`${file}-wal`).size === 0) throw new Error('The write is not in the log.')
  return `${file}-wal`
}

/** Where the copy of a database from before its last writes is. */
export const olderCopy = (dir: string, product: Product) => join(dir, `older-${product}.db`)

function databaseWays(product: Product): Way[] {
  const file = (dir: string) => join(dir, `${product}.db`)
  const stops = { product, outcome: 'stops' } as const
  const cutLog = (dir: string) => {
    const log = writeToLog(dir, product)
    truncateSync(log, statSync(log).size - 100)
  }
  return [
    { ...stops, name: `${product}.db missing`, damage: (dir) => rmSync(file(dir)), says: /is missing, but/ },
    { ...stops, name: `${product}.db emptied`, damage: (dir) => truncateSync(file(dir)), says: /has no content, but/ },
    { ...stops, name: `${product}.db cut`, damage: (dir) => truncateSync(file(dir), 40_960), says: /is damaged/ },
    {
      ...stops,
      name: `${product}.db older`,
      damage: (dir) => cpSync(olderCopy(dir, product), file(dir)),
      says: /is older than it was at .+ later writes? (is|are) missing/,
    },
    { ...stops, name: `log of ${product}.db cut`, damage: cutLog, says: /at least 1 later write is missing/ },
    {
      ...stops,
      name: `log of ${product}.db missing`,
      damage: (dir) => rmSync(writeToLog(dir, product)),
      says: /at least 1 later write is missing/,
    },
    {
      ...stops,
      name: `${product}.marker cut`,
      damage: (dir) => truncateSync(join(dir, `${product}.marker`), 9),
      says: /marker in DATA_DIR .+ is damaged/,
    },
  ]
}

function keyWays(product: Product): Way[] {
  const file = (dir: string) => join(dir, `${product}.key`)
  const needs = { product, outcome: 'needs' } as const
  const other = /encrypted with .*another (?:stack|console)\.key/
  return [
    { ...needs, name: `${product}.key missing`, damage: (dir) => rmSync(file(dir)), says: other },
    {
      ...needs,
      name: `${product}.key emptied`,
      damage: (dir) => truncateSync(file(dir)),
      says: /does not contain a key/,
    },
    {
      ...needs,
      name: `${product}.key cut`,
      damage: (dir) => truncateSync(file(dir), 20),
      says: /does not contain a key/,
    },
    {
      ...needs,
      name: `${product}.key of another installation`,
      damage: (dir) => writeFileSync(file(dir), 'ab'.repeat(32)),
      says: other,
    },
  ]
}

/** The folder or file of the engine whose path ends like this. */
function inEngine(dir: string, ending: RegExp): string {
  const engine = join(dir, 'engine')
  const found = readdirSync(engine, { recursive: true, encoding: 'utf8' }).find((path) => ending.test(path))
  if (found === undefined) throw new Error(`The engine has no ${ending.source}.`)
  return join(engine, found)
}

const logsPart = (dir: string) => {
  const { tables } = JSON.parse(readFileSync(join(dir, 'engine.marker'), 'utf8')) as {
    tables: Record<string, { uuid: string }>
  } // `engineMarker.ts` wrote it
  return inEngine(dir, new RegExp(`${tables['otel_logs']?.uuid}/\\d{8}_\\d+_\\d+_\\d+$`))
}
const logsDefinition = (dir: string) => inEngine(dir, /otel_logs\.sql$/)
const telemetryDefinition = (dir: string) => inEngine(dir, /^metadata\/telemetry\.sql$/)

const stack = { product: 'stack' } as const
const cannotOpen = /The telemetry directory .+ cannot be opened.+it is damaged/
const wasMissing = /otel_logs was missing and has begun empty\. It had \d+ rows\./

const engineWays: Way[] = [
  {
    ...stack,
    name: 'engine missing',
    damage: (dir) => rmSync(join(dir, 'engine'), { recursive: true }),
    outcome: 'notice',
    says: wasMissing,
  },
  {
    ...stack,
    name: 'data of the engine missing',
    damage: (dir) => rmSync(join(dir, 'engine/store'), { recursive: true }),
    outcome: 'notice',
    says: wasMissing,
  },
  {
    ...stack,
    name: 'part missing',
    damage: (dir) => rmSync(logsPart(dir), { recursive: true }),
    outcome: 'notice',
    says: /otel_logs lacks \d+ of \d+ rows/,
  },
  {
    ...stack,
    name: 'part cut',
    damage: (dir) => {
      const part = logsPart(dir)
      for (const name of readdirSync(part)) truncateSync(join(part, name), 10)
    },
    outcome: 'notice',
    says: /The part otel_logs\/\S+ is damaged and was set aside/,
  },
  {
    ...stack,
    name: 'definition of a table missing',
    damage: (dir) => rmSync(logsDefinition(dir)),
    outcome: 'notice',
    says: wasMissing,
  },
  {
    ...stack,
    name: 'definition of a table emptied',
    damage: (dir) => truncateSync(logsDefinition(dir)),
    outcome: 'stops',
    says: cannotOpen,
  },
  {
    ...stack,
    name: 'definition of a table cut',
    damage: (dir) => truncateSync(logsDefinition(dir), 300),
    outcome: 'stops',
    says: cannotOpen,
  },
  {
    ...stack,
    name: 'definition of the database missing',
    damage: (dir) => rmSync(telemetryDefinition(dir)),
    outcome: 'notice',
    says: wasMissing,
  },
  {
    ...stack,
    name: 'definition of the database emptied',
    damage: (dir) => truncateSync(telemetryDefinition(dir)),
    outcome: 'stops',
    says: cannotOpen,
  },
]

export const ways: readonly Way[] = [
  ...databaseWays('stack'),
  ...keyWays('stack'),
  ...engineWays,
  ...databaseWays('console'),
  ...keyWays('console'),
  ...['versions', 'audit'].map((table): Way => ({
    name: `${table} overwritten`,
    product: 'console',
    damage: (dir) => overwriteTable(join(dir, 'console.db'), table),
    outcome: 'stops',
    says: /console\.db in DATA_DIR .+ is damaged/,
  })),
]
