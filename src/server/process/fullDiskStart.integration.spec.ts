import { once } from 'node:events'
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { AuditPage } from '#contract/console/audit.ts'
import { mountSmall } from '#node/testing/fullDisk.ts'
import { keepDiskReserve } from './diskReserve.ts'
import { startScene, type BackupScene } from '../testing/backupScene.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A data directory on a file system of its own. A user who may not mount one tests the same on a disk that is not full. */
function smallDataDir(kibibytes: number): { dataDir: string; isMounted: boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'full-start-'))
  const unmount = mountSmall(folder, kibibytes)
  ends.push(() => {
    unmount?.()
    rmSync(folder, { recursive: true, force: true })
  })
  return { dataDir: folder, isMounted: unmount !== null }
}

const freeBytes = (folder: string) => statfsSync(folder).bavail * statfsSync(folder).bsize

/** Fills the file system of a folder. @returns makes room again */
function fill(folder: string): () => void {
  const file = join(folder, 'filler')
  for (const size of [2 ** 20, 2 ** 12]) {
    while (freeBytes(folder) >= size) writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
  }
  return () => rmSync(file)
}

const options = { say: () => {}, size: 16 * 2 ** 20, low: 2 ** 20, every: 50 }
const dashboard = (name: string) => ({ name, tags: [], tiles: [] })
const start = async (dataDir: string): Promise<BackupScene> => {
  const scene = await startScene(dataDir, { LOG_LEVEL: 'silent' })
  ends.push(() => scene.close())
  return scene
}

test.each(['stopped', 'killed'] as const)(
  'a product that was %s starts on a full disk, serves what it has, and goes on when there is room',
  async (way) => {
    const { dataDir, isMounted } = smallDataDir(200 * 1024)
    const reserve = keepDiskReserve({ ...options, dataDir })
    const before = await start(dataDir)
    await before.log('before')
    await before.gateway.call('POST', '/api/c/local/stack/dashboards', dashboard('Kept'))
    if (way === 'killed') {
      const gone = once(before.stack, 'exit')
      before.stack.kill('SIGKILL')
      await Promise.all([gone, before.gateway.kill()])
    } else {
      await before.close()
    }
    await reserve.stop()
    const makeRoom = isMounted ? fill(dataDir) : () => {}
    if (isMounted) expect(freeBytes(dataDir)).toBeLessThan(2 ** 12)

    const again = keepDiskReserve({ ...options, dataDir })
    ends.push(() => again.stop())
    const after = await start(dataDir)
    again.started()
    expect(await after.dashboards()).toContain('Kept')
    expect(await after.logs()).toContain('before')
    expect(await after.gateway.call('GET', '/api/connections')).toMatchObject([{ name: 'Local' }])
    const { entries } = await after.gateway.call<AuditPage>('GET', '/api/audit?area=dashboards')
    expect(entries).toMatchObject([{ event: 'dashboards.create', subject: 'Kept', outcome: 'done' }])

    makeRoom()
    await expect.poll(() => statSync(join(dataDir, 'reserve')).size).toBe(options.size)
    await after.gateway.call('POST', '/api/c/local/stack/dashboards', dashboard('New'))
    await after.log('after')
    expect(await after.dashboards()).toEqual(expect.arrayContaining(['Kept', 'New']))
    expect(await after.logs()).toEqual(expect.arrayContaining(['before', 'after']))
  },
  180_000,
)
