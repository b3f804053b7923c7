/** Two stacks on one database and one ClickHouse server: one of them runs a pipe, and the other one takes it over. */
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { startClickhouse, type ClickhouseProcess } from '../../testing/clickhouse/clickhouseProcess.ts'
import { pipeInputs } from '../../testing/managedClient.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../testing/pipeProcess.ts'

let folder: string
let clickhouse: ClickhouseProcess
let source: Server
let stacks: PipeProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'several-stacks-'))
  await mkdir(join(folder, 'engine'))
  clickhouse = await startClickhouse(join(folder, 'engine'), 'secret')
  source = createServer((request, response) => void serveFile(request.url ?? '', request.method === 'HEAD', response))
  source.listen(0, '127.0.0.1')
  await once(source, 'listening')
}, 60_000)
afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.kill()))
  await clickhouse.kill()
  source.closeAllConnections()
  source.close()
  await rm(folder, { recursive: true, force: true })
})

const files = 40
const rowsPerFile = 100
/** Milliseconds between the two halves of a file. */
const pause = 100
const target = `${pipeDatabase}.events`
const longWait = { timeout: 60_000, interval: 50 }

/** Files that together have each number once, slowly enough for a stack to end in the middle of one. */
async function serveFile(path: string, isHead: boolean, response: ServerResponse): Promise<void> {
  const file = Number(/part-(\d+)/.exec(path)?.[1])
  const lines = Array.from({ length: rowsPerFile }, (_, at) => {
    const id = (file - 1) * rowsPerFile + at
    return `{"id":${id},"text":"row ${id}"}\n`
  })
  const halves = [lines.slice(0, rowsPerFile / 2), lines.slice(rowsPerFile / 2)].map((half) => half.join(''))
  response.setHeader('content-length', halves.join('').length)
  if (isHead) return void response.end()
  response.write(halves[0])
  await wait(pause)
  response.end(halves[1])
}

/** The stack that runs the pipe, and the other one. */
async function roles(): Promise<{ running: PipeProcess; other: PipeProcess }> {
  let found: boolean[] = []
  await expect
    .poll(async () => (found = await Promise.all(stacks.map((stack) => stack.isRunning()))), longWait)
    .toContain(true)
  expect(found.filter(Boolean)).toHaveLength(1)
  const [running, other] = found[0] ? stacks : stacks.toReversed()
  return { running: running!, other: other! } // there are two
}

const rowCount = async (on: PipeProcess) => {
  const [row] = await on.query<{ rows: string }>(`SELECT count() AS rows FROM ${target}`).catch((error: unknown) => {
    if (/unknown (table|database)|does not exist/i.test(String(error))) return []
    throw error
  })
  return Number(row?.rows ?? 0)
}
const moreRows = async (on: PipeProcess) => {
  const before = await rowCount(on)
  await expect.poll(() => rowCount(on), longWait).toBeGreaterThan(before + rowsPerFile)
}

test(
  'a pipe moves to another stack when its own one stands still or is killed, and loads every row once',
  { timeout: 120_000 },
  async () => {
    const shared = { databaseUrl: await newDatabase(), clickhouseUrl: clickhouse.url }
    const start = (name: string) => startPipeProcess(join(folder, name), folder, '', shared)
    for (const name of ['one', 'two']) stacks.push(await start(name))
    const port = (source.address() as AddressInfo).port // it listens on a port
    const input = pipeInputs.objectStorage
    await stacks[0]!.create({
      ...input,
      source: {
        objectStorage: {
          ...input.source.objectStorage!,
          type: 'http',
          url: `http://127.0.0.1:${port}/part-{1..${files}}.jsonl`,
        },
      },
      settings: { object_storage_max_file_count: 2 },
    })
    const first = await roles()
    await moreRows(first.other)
    first.running.send('SIGSTOP')
    await expect.poll(() => first.other.isRunning(), longWait).toBe(true)
    await moreRows(first.other)
    first.running.send('SIGCONT')
    // It may do nothing of what it was about to do.
    await moreRows(first.other)
    await first.other.kill()
    await expect.poll(() => first.running.isRunning(), longWait).toBe(true)
    await expect.poll(() => first.running.states(), longWait).toMatchObject([{ state: 'Completed' }])
    const rows = files * rowsPerFile
    expect(
      await first.running.query(`SELECT count() AS rows, uniqExact(id) AS ids, max(id) AS last FROM ${target}`),
    ).toEqual([{ rows: String(rows), ids: String(rows), last: String(rows - 1) }])
  },
)
