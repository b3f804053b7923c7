/** Object-storage pipes: what exactly once costs over the engine's own copy of the same files, and whether it holds under kill -9. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { PipeCreate } from '#contract/pipeInputs.ts'
import { pipeInputs } from '#stack/testing/control.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '#stack/testing/pipeProcess.ts'
import { thousands, time, times, type Row } from './measure.ts'

export interface PipeBench {
  rows: number
  files: number
  kills: number
}

const concurrencies = [1, 2, 4]
const checksum = 'count() AS rows, sum(cityHash64(id, text)) AS hash'
const structure = 'id UInt64, text String'

/** The whole of it takes minutes: ten million rows are written, and loaded five times. */
export async function pipes({ rows, files, kills }: PipeBench = { rows: 10_000_000, files: 200, kills: 10 }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'))
  const folder = join(dataDir, 'files')
  await mkdir(folder)
  let process = await startPipeProcess(dataDir, folder)
  const glob = `file('${folder}/*.jsonl', 'JSONEachRow', '${structure}')`
  try {
    await process.command(
      `INSERT INTO FUNCTION file('${folder}/part-{_partition_id}.jsonl', 'JSONEachRow', '${structure}') PARTITION BY id % ${files}
       SELECT number AS id, hex(cityHash64(number)) AS text FROM numbers(${rows})
       SETTINGS max_partitions_per_insert_block = 0`,
    )
    const [expected] = await process.query(`SELECT ${checksum} FROM ${glob}`)
    const own = await ownCopy(process, glob)
    const table: Row[] = [
      {
        what: `${thousands(rows)} rows in ${files} files, the engine's own INSERT … SELECT`,
        result: speed(rows, own),
        aim: 'floor',
      },
    ]
    for (const concurrency of concurrencies) {
      const took = await time(() => load(process, `concurrency_${concurrency}`, concurrency))
      const result = `${speed(rows, took)}, ${times(took / own)} the floor's time`
      table.push({ what: `the same by a pipe, concurrency ${concurrency}`, result, aim: 'told' })
    }
    await begin(process, 'killed', 2)
    for (let kill = 0; kill < kills; kill++) {
      await wait(Math.random() * own)
      await process.kill()
      process = await startPipeProcess(dataDir, folder)
    }
    await finished(process)
    const [loaded] = await process.query(`SELECT ${checksum} FROM ${pipeDatabase}.killed`)
    const isSame = JSON.stringify(loaded) === JSON.stringify(expected)
    table.push({
      what: `the same through ${kills} kills (-9)`,
      result: isSame ? 'count and checksum equal' : 'NOT EQUAL',
      aim: 'equal',
    })
    return table
  } finally {
    await process.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Milliseconds of the engine's own copy into a table like the pipe's. */
async function ownCopy(process: PipeProcess, glob: string): Promise<number> {
  await process.command(
    'CREATE TABLE own (id UInt64, text String) ENGINE = MergeTree ORDER BY id SETTINGS fsync_after_insert = 1',
  )
  return time(() => process.command(`INSERT INTO own SELECT id, text FROM ${glob}`))
}

async function load(process: PipeProcess, table: string, concurrency: number): Promise<void> {
  await begin(process, table, concurrency)
  await finished(process)
}

function begin(process: PipeProcess, table: string, concurrency: number): Promise<string> {
  const { destination, ...input } = pipeInputs.objectStorage
  return process.create({
    ...input,
    destination: { ...destination, table },
    scaling: { concurrency },
  } satisfies PipeCreate)
}

/** Waits for the end of the pipe that was made last. */
async function finished(process: PipeProcess): Promise<void> {
  for (;;) {
    const { state, stateDetail } = (await process.states()).at(-1) ?? {}
    if (state === 'Completed') return
    if (state === 'Failed') throw new Error(stateDetail)
    await wait(20)
  }
}

function speed(rows: number, milliseconds: number): string {
  return `${thousands((rows / milliseconds) * 1000)} rows/s`
}
