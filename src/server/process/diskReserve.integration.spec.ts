/** A stack whose disk is filled by another program, while it runs and before it starts. */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { mountSmall } from '#node/testing/fullDisk.ts'
import { program } from '#node/testing/program.ts'
import { superviseStack, type StackReady } from '../stackSupervisor.ts'
import { keepDiskReserve } from './diskReserve.ts'

const mebibyte = 1024 ** 2
const stackEntry = program(resolve(import.meta.dirname, '../../stack/startup/main.ts')).file

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
  vi.unstubAllEnvs()
})

/** @returns the lines that were said, the stack once it is ready, and a function that stops it */
async function start(dataDir: string) {
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const reserve = keepDiskReserve({ dataDir, say, size: 8 * mebibyte, low: mebibyte, every: 20 })
  const stack = superviseStack(stackEntry, say)
  const stop = async () => {
    await reserve.stop()
    await stack.stop()
  }
  ends.push(stop)
  const ready = await stack.ready
  reserve.started()
  return { said, ready, stop }
}

async function webhooks({ ports, credentials }: StackReady, name?: string) {
  const answer = await fetch(`http://127.0.0.1:${ports.api}/api/v2/webhooks`, {
    method: name === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${credentials.personalAccessKey}`, 'content-type': 'application/json' },
    ...(name !== undefined && { body: JSON.stringify({ name, service: 'generic', url: 'http://93.184.215.14/x' }) }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** Writes until nothing fits any more. @returns how many bytes did */
function fill(file: string): number {
  const opened = openSync(file, 'a')
  try {
    for (const size of [mebibyte, 4096, 1]) {
      for (const block = Buffer.alloc(size, 'x'); ;) if (writeSync(opened, block) < size) break
    }
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    closeSync(opened)
  }
  return statSync(file).size
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

test('a stack serves records after a restart on a full disk, and everything once there is room', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'disk-reserve-'))
  ends.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const unmount = mountSmall(dataDir, 128 * 1024)
  // A user who may not mount a file system tests it in the same way on a disk that is not full.
  const occupy = unmount ? fill : () => 0
  if (unmount) ends.push(unmount)
  const ports = { API_PORT: '0', OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0' }
  const settings = { ...ports, DATA_DIR: dataDir, SAMPLE: '0', LOG_LEVEL: 'silent' }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const [reserve, other] = [join(dataDir, 'reserve'), join(dataDir, 'other')]

  const first = await start(dataDir)
  expect(sizeOf(reserve)).toBe(8 * mebibyte)
  expect((await webhooks(first.ready, 'before')).status).toBe(200)
  occupy(other)
  if (unmount) await expect.poll(() => sizeOf(reserve)).toBe(4 * mebibyte)
  expect((await webhooks(first.ready, 'on the full disk')).status).toBe(200)
  occupy(other)
  await first.stop()

  occupy(other)
  const second = await start(dataDir)
  const stored = await webhooks(second.ready)
  expect(stored.status).toBe(200)
  expect(stored.text).toMatch(/before.*on the full disk/)
  if (unmount) expect(second.said).toEqual([expect.stringContaining('The disk that holds DATA_DIR is full.')])
  if (unmount) expect(sizeOf(reserve)).toBeGreaterThan(0)

  rmSync(other, { force: true })
  await expect.poll(() => sizeOf(reserve)).toBe(8 * mebibyte)
  expect((await webhooks(second.ready, 'after')).status).toBe(200)
})
