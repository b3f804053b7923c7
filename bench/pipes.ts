/**
 * Measures object storage pipes: the cost of exactly once over the engine's own copy of the same files, and
 * correctness under kill -9.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { pipeInputs } from '#stack/testing/managedClient.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '#stack/testing/pipeProcess.ts'
import { median, thousands, time, times, type Row } from './support/measure.ts'

export interface PipeBench {
  rows: number
  files: number
  rounds: number
  kills: number
}

const concurrencies = [1, 2, 4]
const structure = 'id UInt64, text String'
const checksum = 'count() AS rows, sum(cityHash64(id, text)) AS hash'

const usual: PipeBench = { rows: 10_000_000, files: 200, rounds: 5, kills: 10 }

/** Takes a minute or two: ten million rows are written, and loaded 25 times. */
export async function pipes(sizes: PipeBench = usual): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'))
  const folder = join(dataDir, 'files')
  await mkdir(folder)
  let process = await startPipeProcess(dataDir, folder)
  try {
    await process.command(
      `INSERT INTO FUNCTION file('${folder}/part-{_partition_id}.jsonl', 'JSONEachRow', '${structure}') PARTITION BY id % ${sizes.files}
       SELECT number AS id, hex(cityHash64(number)) AS text FROM numbers(${sizes.rows})
       SETTINGS max_partitions_per_insert_block = 0`,
    )
    const table = await speeds(process, folder, sizes)
    const [expected] = await process.query(`SELECT ${checksum} FROM ${from(`${folder}/*.jsonl`)}`)
    await begin(process, 'killed', 2)
    for (let kill = 0; kill < sizes.kills; kill++) {
      await wait(Math.random() * killWithinMs)
      await process.kill()
      process = await startPipeProcess(dataDir, folder)
    }
    await finished(process)
    const [loaded] = await process.query(`SELECT ${checksum} FROM ${pipeDatabase}.killed`)
    const isSame = JSON.stringify(loaded) === JSON.stringify(expected)
    const what = `the same through ${sizes.kills} kills (-9)`
    return [...table, { what, result: isSame ? 'count and checksum equal' : 'NOT EQUAL', aim: 'equal' }]
  } finally {
    await process.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A kill comes within this time after a start, mostly while files are loaded. */
const killWithinMs = 1500

/** Runs the engine's own copy and pipes in turn, A B C D B C D A …, so that a slow machine affects all of them. */
async function speeds(process: PipeProcess, folder: string, sizes: PipeBench): Promise<Row[]> {
  const works = [
    () => ownCopy(process, from(`${folder}/*.jsonl`)),
    ...concurrencies.map((concurrency) => () => pipeCopy(process, concurrency)),
  ]
  const rounds: number[][] = []
  for (const work of works) await work()
  for (let round = 0; round < sizes.rounds; round++) {
    const took = works.map(() => 0)
    for (const turn of works.keys()) {
      const at = (turn + round) % works.length
      took[at] = (await works[at]?.()) ?? Number.NaN
    }
    rounds.push(took)
  }
  const rate = (at: number) => thousands((sizes.rows / median(rounds.map((took) => took[at] ?? Number.NaN))) * 1000)
  const against = (at: number) => median(rounds.map((took) => (took[at] ?? Number.NaN) / (took[0] ?? Number.NaN)))
  return [
    {
      what: `${thousands(sizes.rows)} rows in ${sizes.files} files, the engine's own INSERT … SELECT`,
      result: `${rate(0)} rows/s`,
      aim: 'floor',
    },
    {
      what: `by a pipe, concurrency ${concurrencies.join('; ')}`,
      result: concurrencies.map((_, at) => `${rate(at + 1)} rows/s = ${times(against(at + 1))}`).join('; '),
      aim: "1.1× the floor's time from 2 on",
    },
  ]
}

const from = (files: string) => `file('${files}', 'JSONEachRow', '${structure}')`

/** Milliseconds of the engine's own copy into a table like that of the pipe. */
async function ownCopy(process: PipeProcess, source: string): Promise<number> {
  await process.command(
    'CREATE TABLE own (id UInt64, text String) ENGINE = MergeTree ORDER BY id SETTINGS fsync_after_insert = 1',
  )
  const took = await time(() => process.command(`INSERT INTO own SELECT id, text FROM ${source}`))
  await drop(process, 'own')
  return took
}

let last = 0

/** Milliseconds from the creation of a pipe to its end. */
async function pipeCopy(process: PipeProcess, concurrency: number): Promise<number> {
  const table = `timed_${++last}`
  const took = await time(async () => {
    await begin(process, table, concurrency)
    await finished(process)
  })
  await drop(process, `${pipeDatabase}.${table}`)
  return took
}

/** Drops the table at once, so that merges of its parts do not affect the next measurement. */
async function drop(process: PipeProcess, table: string): Promise<void> {
  await process.command(`DROP TABLE ${table} SYNC`)
}

function begin(process: PipeProcess, table: string, concurrency: number): Promise<string> {
  const { destination, ...input } = pipeInputs.objectStorage
  return process.create({
    ...input,
    destination: { ...destination, table },
    scaling: { concurrency },
  } satisfies PipeCreate)
}

/** Waits for the end of the newest pipe. */
async function finished(process: PipeProcess): Promise<void> {
  for (;;) {
    const { state, stateDetail } = (await process.states()).at(-1) ?? {}
    if (state === 'Completed') return
    if (state === 'Failed') throw new Error(stateDetail)
    await wait(20)
  }
}
