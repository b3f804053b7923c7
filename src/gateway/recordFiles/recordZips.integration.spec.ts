/** Zips that are made to keep the gateway busy are refused, while it answers others. */
import { spawnSync } from 'node:child_process'
import { strToU8, zipSync } from 'fflate'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { LosslessNumber } from '#contract/wire/json.ts'
import { WorkerProcess } from '#node/process/workerProcess.ts'
import { answerJson, gatewayForTests } from '../testing/testGateway.ts'
import { RecordZips } from './recordZips.ts'

const limits = { file: 2_000, zip: 60_000, memory: 512 }

const zipOf = (files: Record<string, string>) =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])), { level: 1 }),
  ).toString('base64')

const board = (name = 'Shop') => `name: ${name}\ntiles: []\n`
const ordinary = zipOf({ 'dashboards/shop.yaml': board() })
const largest = 512 * 1024

/** Takes minutes: the parser looks through the whole file for the anchor of each alias. */
const anchors = `name: A\na: [${'&a x,*a,'.repeat(largest / 8 - 10)}]`
const endless = zipOf({ 'dashboards/first.yaml': board('First'), 'dashboards/endless.yaml': anchors })

describe('a file that takes too long', async () => {
  const { upstream, gateway } = await gatewayForTests({ tuning: { zipLimits: limits } })
  const planOf = (zip: string) => gateway.call('POST', '/api/connections/oss/file-imports/plan', { zip })

  test('is refused with its name, while others are answered, and the next import works', async () => {
    upstream.become(answerJson({ data: [], meta: { total: 0, limit: 1000, offset: 0 } }))
    const seen = { isRefused: false, answered: 0 }
    const refusal = planOf(endless).finally(() => (seen.isRefused = true))
    while (!seen.isRefused && seen.answered < 500) {
      expect((await gateway.call('GET', '/api/connections')).status).toBe(200)
      seen.answered++
    }
    const { status, json } = await refusal
    expect([status, json['code']]).toEqual([422, 'invalid'])
    expect(json['message']).toMatch(/^dashboards\/endless\.yaml: takes longer than 2 s to read\. .* Export it again/)
    expect(json['fields']).toEqual([expect.objectContaining({ path: 'dashboards/endless.yaml' })])
    expect(seen.answered).toBeGreaterThan(10)
    expect(upstream.hits).toEqual([])

    const plan = await planOf(ordinary)
    expect(plan.json).toMatchObject({ ready: true, files: 1, counts: { create: 1 } })
  })
})

describe('zips', () => {
  const opened: RecordZips[] = []
  afterEach(() => Promise.all(opened.splice(0).map((zips) => zips.close())))

  function zipsWith(some: Partial<typeof limits> = {}): RecordZips {
    const zips = new RecordZips({ file: 60_000, zip: 60_000, memory: 512, ...some })
    opened.push(zips)
    return zips
  }

  /** Starts a task and waits until a process works on it. */
  async function begun<T>(task: () => Promise<T>): Promise<{ done: Promise<T> }> {
    const done = task()
    await vi.waitFor(() => expect(workers()).toHaveLength(1), { timeout: 60_000 })
    return { done }
  }

  /** The process IDs of the workers of this process. */
  function workers(): number[] {
    const { stdout } = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'recordZipWorker'], { encoding: 'utf8' })
    return stdout.split('\n').filter(Boolean).map(Number)
  }

  const killWorkers = () => workers().forEach((pid) => process.kill(pid, 'SIGKILL'))

  test('are read as they are, large numbers too', async () => {
    const text = `${board()}big: 12345678901234567890\nsmall: 1.5\nnone: null\n`
    const { files, kinds } = await zipsWith().read(zipOf({ 'dashboards/a.yaml': text, 'alerts/': '' }))
    expect(kinds).toEqual(['dashboards', 'alerts'])
    const big = new LosslessNumber('12345678901234567890')
    const record = { name: 'Shop', tiles: [], big, small: 1.5, none: null }
    expect(files).toEqual([{ kind: 'dashboards', path: 'dashboards/a.yaml', record }])
  })

  test('that are read for too long altogether name the last file', async () => {
    await expect(zipsWith({ zip: 1 }).read(endless)).rejects.toThrow(
      /^The zip takes longer than 0\.001 s to read, which ended at .*\. Import it in parts\.$/,
    )
  })

  test('of a file that fills the memory are refused with its name', async () => {
    const errors = `name: A\n${'@\n'.repeat(largest / 2 - 10)}`
    const zips = zipsWith({ memory: 64 })
    await expect(zips.read(zipOf({ 'alerts/errors.yaml': errors }))).rejects.toThrow(
      /^alerts\/errors\.yaml: needs more than 64 MB of memory to be read\./,
    )
    expect((await zips.read(ordinary)).files).toHaveLength(1)
  })

  test('are read again after their process was killed, at work or at rest', async () => {
    const zips = zipsWith()
    const { done } = await begun(() => zips.read(endless))
    const refused = expect(done).rejects.toThrow(
      /^Reading the zip was interrupted at .*\. Nothing was changed\. Try again\.$/,
    )
    killWorkers()
    await refused
    expect((await zips.read(ordinary)).files).toHaveLength(1)
    killWorkers()
    // A read that begins before its end is noticed is interrupted.
    const read = () => zips.read(zipOf({ 'dashboards/b.yaml': board('B') })).catch(() => undefined)
    await expect.poll(read).toMatchObject({ files: [expect.anything()] })
  })

  test('are interrupted when the gateway ends', async () => {
    const zips = zipsWith()
    const { done } = await begun(() => zips.read(endless))
    const refused = expect(done).rejects.toThrow('Reading the zip was interrupted')
    const waiting = expect(zips.read(ordinary)).rejects.toThrow('Reading the zip was interrupted')
    await zips.close()
    await Promise.all([refused, waiting])
  })

  test('wait for each other, a few of them, and the same one is read once', async () => {
    const zips = zipsWith()
    const tasks = vi.spyOn(WorkerProcess.prototype, 'ask')
    const same = await Promise.all([zips.read(ordinary), zips.read(ordinary)])
    expect(same[0]).toBe(same[1])
    expect(tasks).toHaveBeenCalledTimes(1)
    const names = ['A', 'B', 'C', 'D', 'E', 'F']
    const results = await Promise.allSettled(
      names.map((name) => zips.read(zipOf({ 'dashboards/a.yaml': board(name) }))),
    )
    const found = results.map((result) =>
      result.status === 'fulfilled' ? result.value.files[0]?.record['name'] : null,
    )
    expect(found).toEqual(['A', 'B', 'C', 'D', 'E', null])
    expect(results.at(-1)).toMatchObject({ reason: { error: { code: 'rateLimited' } } })
  })
})

describe('a zip with', () => {
  // One process reads them all, as in the product.
  const zips = new RecordZips({ file: 60_000, zip: 60_000, memory: 512 })
  afterAll(() => zips.close())

  const text = (length: number) => `#${'x'.repeat(length - 1)}`
  const aliases = `name: A\nb: &b ${'x'.repeat(largest / 2)}\na: [${'*b,'.repeat(9)}]\n`
  test.each([
    ['a file of more than 512 kB', { 'alerts/a.yaml': text(largest + 1) }, 'alerts/a.yaml is larger than 512 KiB'],
    [
      'more than 32 MB that compress well',
      Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`alerts/${at}.yaml`, `n: 1\n${text(largest - 5)}`])),
      'The zip has more than 32 MiB when it is inflated.',
    ],
    [
      'more than 10,000 files',
      Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`alerts/${at}.yaml`, ''])),
      'The zip has more than 10000 files.',
    ],
    [
      'a file that is nested too deeply',
      { 'alerts/a.yaml': `a: ${'['.repeat(101)}${']'.repeat(101)}` },
      'alerts/a.yaml:1:1: is nested deeper than 100 levels',
    ],
    [
      'a file that overflows the stack of the parser',
      { 'alerts/a.yaml': `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}` },
      'is nested deeper than 100 levels',
    ],
    ['a file that aliases make large', { 'alerts/a.yaml': aliases }, 'alerts/a.yaml:1:1: has aliases that stand for'],
  ])('%s is refused', async (_, files, message) => {
    await expect(zips.read(zipOf(files))).rejects.toThrow(message)
  })
})
