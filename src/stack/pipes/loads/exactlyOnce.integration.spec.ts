/** Every row once, whenever the process dies. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../testing/pipeProcess.ts'
import { pipeInputs } from '../../testing/managedClient.ts'

let dataDir: string
let files: string
let pipes: PipeProcess | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pipes-'))
  files = join(dataDir, 'files')
  await mkdir(files)
})
afterEach(async () => {
  await pipes?.kill()
  pipes = undefined
  await rm(dataDir, { recursive: true, force: true })
})

const target = `${pipeDatabase}.events`
const checksum = 'count() AS rows, sum(cityHash64(id, text)) AS hash'

/** Files that together hold each number once. */
async function writeFiles(from: PipeProcess, rows: number, fileCount: number): Promise<void> {
  await from.command(`INSERT INTO FUNCTION file('${files}/part-{_partition_id}.jsonl', 'JSONEachRow', 'id UInt64, text String')
    PARTITION BY id % ${fileCount} SELECT number AS id, hex(cityHash64(number)) AS text FROM numbers(${rows})`)
}

/** Waits for the pipe's end. */
async function completed(process: PipeProcess): Promise<void> {
  await expect.poll(() => process.states(), { timeout: 40_000, interval: 50 }).toMatchObject([{ state: 'Completed' }])
}

test('an object storage pipe loads every row once, with kills at any moment', { timeout: 120_000 }, async () => {
  const rows = 100_000
  pipes = await startPipeProcess(dataDir, files)
  await writeFiles(pipes, rows, 20)
  await pipes.create({ ...pipeInputs.objectStorage, settings: { object_storage_max_file_count: 3 } })
  for (let kill = 0; kill < 4; kill++) {
    await wait(20 + Math.random() * 300)
    await pipes.kill()
    pipes = await startPipeProcess(dataDir, files)
  }
  await completed(pipes)
  const expected = await pipes.query(
    `SELECT ${checksum} FROM file('${files}/*.jsonl', 'JSONEachRow', 'id UInt64, text String')`,
  )
  expect(expected).toMatchObject([{ rows: String(rows) }])
  expect(await pipes.query(`SELECT ${checksum} FROM ${target}`)).toEqual(expected)
})

test(
  'a bad file is loaded row by row, each good row once, with kills at any moment',
  { timeout: 120_000 },
  async () => {
    const rows = 150_000
    const bad = 70_000
    pipes = await startPipeProcess(dataDir, files)
    await writeFile(
      join(files, 'bad.jsonl'),
      Array.from({ length: rows }, (_, id) => `{"id":${id === bad ? -1 : id},"text":"row ${id}"}\n`).join(''),
    )
    await pipes.create(pipeInputs.objectStorage)
    for (let kill = 0; kill < 3; kill++) {
      await wait(300 + Math.random() * 1500)
      await pipes.kill()
      pipes = await startPipeProcess(dataDir, files)
    }
    await completed(pipes)
    expect(await pipes.query(`SELECT count() AS rows, uniqExact(id) AS ids, sum(id) AS sum FROM ${target}`)).toEqual([
      { rows: String(rows - 1), ids: String(rows - 1), sum: String((rows * (rows - 1)) / 2 - bad) },
    ])
    expect(await pipes.query(`SELECT offset, reason FROM ${target}_datapipes_error FINAL`)).toEqual([
      { offset: String(bad), reason: 'id: -1 is out of range for UInt64' },
    ])
  },
)

test('bad rows of a file are loaded again, each once, with kills at any moment', { timeout: 180_000 }, async () => {
  const rows = 120_000
  const isBad = (id: number) => id % 7 === 3
  const lines = (value: (id: number) => number) =>
    Array.from({ length: rows }, (_, id) => `{"id":${value(id)},"text":"row ${id}"}\n`).join('')
  pipes = await startPipeProcess(dataDir, files)
  const file = join(files, 'bad.jsonl')
  await writeFile(
    file,
    lines((id) => (isBad(id) ? -1 : id)),
  )
  const id = await pipes.create(pipeInputs.objectStorage)
  await completed(pipes)
  const bad = Array.from({ length: rows }, (_, at) => at).filter(isBad).length
  expect(await pipes.query(`SELECT count() AS rows FROM ${target}`)).toEqual([{ rows: String(rows - bad) }])
  // One in a hundred is still bad.
  const isStillBad = (at: number) => isBad(at) && at % 100 === 3
  await writeFile(
    file,
    lines((at) => (isStillBad(at) ? -1 : at)),
  )
  await pipes.resend(id)
  await pipes.state('Running')
  for (let kill = 0; kill < 4; kill++) {
    await wait(300 + Math.random() * 1500)
    await pipes.kill()
    pipes = await startPipeProcess(dataDir, files)
  }
  await completed(pipes)
  const left = Array.from({ length: rows }, (_, at) => at).filter(isStillBad).length
  expect(await pipes.query(`SELECT count() AS rows, uniqExact(id) AS ids FROM ${target}`)).toEqual([
    { rows: String(rows - left), ids: String(rows - left) },
  ])
  expect(
    await pipes.query(
      `SELECT count() AS rows, countIf(offset % 100 != 3) AS others FROM ${target}_datapipes_error FINAL`,
    ),
  ).toEqual([{ rows: String(left), others: '0' }])
  expect(await pipes.states()).toMatchObject([{ stateDetail: expect.stringContaining(`${left} bad records`) }])
})

test('an interrupted load is removed before it is repeated', { timeout: 60_000 }, async () => {
  const rows = 1_000_000
  pipes = await startPipeProcess(dataDir, files)
  await writeFiles(pipes, rows, 1)
  // One load in many small parts, so that the first are stored long before the last.
  await pipes.create({
    ...pipeInputs.objectStorage,
    settings: { db_min_insert_block_size_bytes: 100_000 },
  })
  await expect.poll(async () => (await partialRows(pipes))[0]?.rows ?? '0', { interval: 5 }).not.toBe('0')
  await pipes.kill()
  pipes = await startPipeProcess(dataDir, files)
  await completed(pipes)
  expect(await pipes.query(`SELECT count() AS rows, uniqExact(id) AS ids FROM ${target}`)).toEqual([
    { rows: String(rows), ids: String(rows) },
  ])
})

async function partialRows(process: PipeProcess | undefined): Promise<{ rows: string }[]> {
  return (await process?.query<{ rows: string }>(`SELECT count() AS rows FROM ${target}`).catch(() => [])) ?? []
}
