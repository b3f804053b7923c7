import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { shiftedClock } from './shiftedClock.ts'

/** Answers each line with the hours by which every way to ask for the time is ahead, in the process and in a worker. */
const program = `
  const { Worker, isMainThread, parentPort } = require('node:worker_threads')
  const ahead = () => [Date.now(), new Date().getTime(), Date.parse(Date()), new (class extends Date {})().getTime()]
    .map((time) => Math.round((time - performance.timeOrigin - performance.now()) / 3600000))
  const others = [new Date(5).getTime(), new Date('1970-01-01T00:00:01Z').getTime(), new Date() instanceof Date]
  if (isMainThread) {
    const worker = new Worker(process.argv[1])
    worker.on('message', (ofWorker) => console.log(JSON.stringify({ own: ahead(), ofWorker, others })))
    process.stdin.on('data', () => worker.postMessage('tell'))
    process.stdin.on('end', () => process.exit())
  } else parentPort.on('message', () => parentPort.postMessage(ahead()))
`

test('the offset of the file shifts the time of a process and of its workers, whenever it changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clock-offset-'))
  const file = join(folder, 'offset')
  const script = join(folder, 'program.cjs')
  writeFileSync(file, '+0')
  writeFileSync(script, program)
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...shiftedClock(file) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const told = async () => {
    child.stdin.write('tell\n')
    return JSON.parse(String((await lines.next()).value))
  }
  try {
    for (const hours of [0, 13, -2, 0]) {
      writeFileSync(file, `${hours < 0 ? '' : '+'}${hours * 3600}`)
      const all = Array.from({ length: 4 }, () => hours)
      await expect.poll(told).toEqual({ own: all, ofWorker: all, others: [5, 1000, true] })
    }
  } finally {
    child.stdin.end()
  }
})
