/** After kill -9 at any moment of a pass, each window was evaluated once, and each firing and recovery is sent once. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replay } from '#domain/alerting/evaluate.ts'
import { openStore } from '../store/store.ts'
import { crashRows, crashServices, crashThresholds } from '../testing/alertCrash.ts'
import { minute, sceneStart } from '../testing/alertScene.ts'
import { program } from '#node/testing/program.ts'

const entry = program(join(import.meta.dirname, '../testing/alertWorker.ts'))
const minutes = 60
const kills = 6

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'alert-crash-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** Evaluates from a minute on, and is killed in the pass of another one. @returns the minute of its last pass; null at the end */
async function run(from: number, killAt: number, delay: number): Promise<number | null> {
  const child = fork(entry.file, [dataDir, String(from), String(minutes)], { execArgv: entry.execArgv })
  let last: number | null = from
  child.on('message', ({ type, at }: { type: string; at?: number }) => {
    last = type === 'done' ? null : (at ?? last)
    if (type === 'done') child.disconnect()
    if (type === 'pass' && at === killAt) setTimeout(() => child.kill('SIGKILL'), delay)
  })
  await once(child, 'exit')
  return last
}

/** What has to be sent, according to the rows. */
function expected(): string[] {
  return crashThresholds.flatMap((threshold) => {
    const rule = { alertId: '', grouped: true, threshold, thresholdType: 'above' }
    const windows = Array.from({ length: minutes }, (_, at) => ({
      start: sceneStart + at * minute,
      end: sceneStart + (at + 1) * minute,
      values: crashServices.flatMap((ServiceName) => {
        const value = crashRows(ServiceName, at)
        return value > 0 ? [{ key: `ServiceName:${ServiceName}`, group: { ServiceName }, value }] : []
      }),
    }))
    return replay(rule, windows).events.map(
      ({ groupKey, state, end }) => `${threshold} ${groupKey} ${state} ${(end - sceneStart) / minute}`,
    )
  })
}

test('kill -9 during passes', { timeout: 180_000 }, async () => {
  let from: number | null = 0
  let killed = 0
  for (let kill = 1; from !== null; kill++) {
    const killAt: number = kill > kills ? Infinity : from + 2 + Math.floor(Math.random() * 6)
    const last = await run(from, killAt, Math.random() * 30)
    // The lease of the killed process has expired two minutes later.
    from = last === null ? null : last + 2
    if (from !== null) killed++
  }
  expect(killed).toBe(kills)
  const store = await openStore({ file: join(dataDir, 'stack.db') })
  const sent = (await store.rows('SELECT what FROM sent')).map((row) => String(row['what']))
  expect(sent.toSorted()).toEqual(expected().toSorted())
  const windows = await store.rows(
    'SELECT alert_id, count(*) AS total, min(ended) AS first FROM alert_evaluations GROUP BY alert_id',
  )
  expect(windows).toHaveLength(crashThresholds.length)
  for (const row of windows) expect(row).toMatchObject({ total: minutes, first: sceneStart + minute })
  await store.close()
})
