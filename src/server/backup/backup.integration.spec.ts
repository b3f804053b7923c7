/** Backups of a stack and a console under load, restored elsewhere; commands that are killed; full disks. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '#gateway/database/database.ts'
import { mountSmall } from '#node/testing/fullDisk.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { command, startScene, type BackupScene } from '../testing/backupScene.ts'
import { filesBelow } from './manifest.ts'

const folder = mkdtempSync(join(tmpdir(), 'backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const backups = (into: string) => (existsSync(into) ? readdirSync(into).filter((name) => !name.startsWith('.')) : [])
const unfinished = (into: string) => (existsSync(into) ? readdirSync(into).filter((name) => name.startsWith('.')) : [])

/** Writes dashboards through the console and logs to the collector until it is stopped. */
function load(scene: BackupScene) {
  const done = { dashboards: [] as string[], logs: [] as string[] }
  const stopping = new AbortController()
  const until = async (work: (number: number) => Promise<void>) => {
    for (let number = 1; !stopping.signal.aborted; number += 1) {
      await work(number)
      // Dozens of writes during a backup, and processor time left for it.
      await sleep(20)
    }
  }
  const running = [
    until(async (number) => {
      const name = `Dashboard ${number}`
      await scene.gateway.call('POST', '/api/c/local/stack/dashboards', { name, tiles: [] })
      done.dashboards.push(name)
    }),
    until(async (number) => {
      await scene.log(`line ${number}`)
      done.logs.push(`line ${number}`)
    }),
  ]
  const stop = async () => {
    stopping.abort()
    await Promise.all(running)
  }
  return { done, stop }
}

async function backUp(
  scene: Pick<BackupScene, 'dataDir'>,
  into: string,
  args: string[] = [],
  env = {},
): Promise<string> {
  const { code, out, err } = await command('backup', [into, ...args], { DATA_DIR: scene.dataDir, ...env }).ended
  expect(code, err).toBe(0)
  return out.trim()
}

/** Until a command has created what is looked for. */
const seen = (look: () => unknown) => expect.poll(look, { interval: 5 }).toBeTruthy()

describe('of a console on files', { timeout: 180_000 }, () => {
  let scene: BackupScene
  let backup: string
  /** The writes that were acknowledged when the backup began. */
  let acknowledged: { dashboards: string[]; logs: string[] }

  beforeAll(async () => {
    scene = await startScene(join(folder, 'data'))
    const running = load(scene)
    await vi.waitFor(
      () => expect(Math.min(running.done.dashboards.length, running.done.logs.length)).toBeGreaterThan(3),
      {
        timeout: 60_000,
      },
    )
    acknowledged = { dashboards: [...running.done.dashboards], logs: [...running.done.logs] }
    backup = await backUp(scene, join(folder, 'backups'), ['--with-keys'])
    await running.stop()
  }, 120_000)
  afterAll(() => scene.close())

  test('has what was acknowledged before, and starts elsewhere', async () => {
    const DATA_DIR = join(folder, 'elsewhere')
    const restored = await command('restore', [backup], { DATA_DIR }).ended
    expect(restored).toMatchObject({ code: 0, out: 'The backup is restored. Start the console.\n' })
    // The write of each dashboard, as the console saw it.
    const database = await openDatabase(DATA_DIR)
    const written = await database.rows("SELECT name FROM changes WHERE action = 'created' AND outcome = 'done'")
    expect(written.map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged.dashboards))
    await database.close()
    const other = await startScene(DATA_DIR)
    try {
      expect(await other.dashboards()).toEqual(expect.arrayContaining(acknowledged.dashboards))
      expect(await other.logs()).toEqual(expect.arrayContaining(acknowledged.logs))
      expect(await other.gateway.call('GET', '/api/audit/verification')).not.toHaveProperty('fault')
    } finally {
      await other.close()
    }
  })

  test('is for this user only, and leaves nothing in the data directory', async () => {
    for (const path of await filesBelow(backup)) expect(statSync(join(backup, path)).mode & 0o777, path).toBe(0o600)
    expect(statSync(backup).mode & 0o777).toBe(0o700)
    await expect.poll(() => readdirSync(join(scene.dataDir, 'backups'))).toEqual([])
  })

  test('that is killed leaves nothing that looks whole, and the next one removes the rest', async () => {
    const into = join(folder, 'killed')
    const { child, ended } = command('backup', [into], { DATA_DIR: scene.dataDir })
    await seen(() => unfinished(into).length > 0)
    child.kill('SIGKILL')
    await ended
    expect(backups(into)).toEqual([])
    const [rest = ''] = unfinished(into)
    const refused = await command('restore', [join(into, rest)], { DATA_DIR: join(folder, 'never') }).ended
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('has no manifest.json') })
    await backUp(scene, into)
    expect([backups(into).length, unfinished(into)]).toEqual([1, []])
    await expect.poll(() => readdirSync(join(scene.dataDir, 'backups'))).toEqual([])
  })

  test('a restore that is killed is not taken for whole, and can be repeated', async () => {
    const DATA_DIR = join(folder, 'restored')
    mkdirSync(DATA_DIR)
    writeFileSync(join(DATA_DIR, 'console.db'), 'of before')
    const refused = await command('restore', [backup], { DATA_DIR }).ended
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('is not empty (it has console.db)') })
    const { child, ended } = command('restore', [backup, '--replace'], { DATA_DIR })
    await seen(() => existsSync(join(DATA_DIR, 'engine')))
    child.kill('SIGKILL')
    await ended
    await expect(startScene(DATA_DIR)).rejects.toThrow('ended with 1')
    const again = await command('restore', [backup], { DATA_DIR }).ended
    expect(again, again.err).toMatchObject({ code: 0 })
    const [aside = ''] = readdirSync(DATA_DIR).filter((name) => name.startsWith('replaced-'))
    expect(readFileSync(join(DATA_DIR, aside, 'console.db'), 'utf8')).toBe('of before')
    expect(existsSync(join(DATA_DIR, 'restore.json'))).toBe(false)
  })

  test('without keys says what is missing, and takes the right ones only', async () => {
    const into = join(folder, 'without-keys')
    const path = await backUp(scene, into, ['--without-telemetry'])
    expect(existsSync(join(path, 'keys'))).toBe(false)
    const DATA_DIR = join(folder, 'with-other-keys')
    const missing = await command('restore', [path], { DATA_DIR }).ended
    expect(missing.out).toContain(
      `put the key file of the console that was backed up at ${join(DATA_DIR, 'console.key')}`,
    )
    expect(missing.out).toContain('The backup has no telemetry: --without-telemetry.')
    rmSync(DATA_DIR, { recursive: true })
    const keys = join(folder, 'keys')
    cpSync(join(backup, 'keys'), keys, { recursive: true })
    writeFileSync(join(keys, 'stack.key'), 'a'.repeat(64))
    const wrong = await command('restore', [path, '--keys', keys], { DATA_DIR }).ended
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('stack.key is not the key of the backup') })
    expect(readdirSync(DATA_DIR).filter((name) => name !== 'console.lock')).toEqual([])
    const right = await command('restore', [path, '--keys', join(backup, 'keys')], { DATA_DIR }).ended
    expect(right.out).not.toContain('Before the start')
  })

  test('a full disk is an error of one line, and nothing is left', async () => {
    const into = join(folder, 'small')
    mkdirSync(into)
    const unmount = mountSmall(into, 128)
    if (!unmount) throw new Error('This test has to mount a file system.')
    try {
      const { code, err } = await command('backup', [into], { DATA_DIR: scene.dataDir }).ended
      expect(code).toBe(1)
      expect(err.trim().split('\n').at(-1)).toMatch(/disk .*full/)
      expect(readdirSync(into)).toEqual([])
    } finally {
      unmount()
    }
  })

  test('the stack goes on when another program asks without its token', async () => {
    const { port } = JSON.parse(readFileSync(join(scene.dataDir, 'control.json'), 'utf8'))
    const url = `http://127.0.0.1:${port}/engine-backup`
    for (const authorization of ['', 'Bearer x']) {
      expect((await fetch(url, { method: 'POST', headers: { authorization } })).status).toBe(401)
    }
    expect(statSync(join(scene.dataDir, 'control.json')).mode & 0o777).toBe(0o600)
  })

  test('is made of a console that is stopped as well', async () => {
    const DATA_DIR = join(folder, 'elsewhere')
    const path = await backUp({ dataDir: DATA_DIR }, join(folder, 'of-stopped'))
    const { telemetry } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'))
    expect(telemetry.rows).toBeGreaterThanOrEqual(acknowledged.logs.length)
  })
})

describe('of a console on a server', { timeout: 400_000 }, () => {
  test('is restored to another server, and to files', async () => {
    const secrets = { CONSOLE_SECRET: 'a-secret-of-this-console', STACK_SECRET: 'a-secret-of-this-stack' }
    const env = { ...secrets, DATABASE_URL: await newDatabase() }
    const scene = await startScene(join(folder, 'of-server'), env)
    const running = load(scene)
    await expect.poll(() => running.done.dashboards.length).toBeGreaterThan(3)
    const acknowledged = [...running.done.dashboards]
    const backup = await backUp(scene, join(folder, 'server-backups'), [], env)
    await running.stop()
    await scene.close()
    const targets = [{ ...secrets, DATABASE_URL: await newDatabase() }, secrets]
    for (const [number, target] of targets.entries()) {
      const DATA_DIR = join(folder, `of-server-${number}`)
      const restored = await command('restore', [backup], { DATA_DIR, ...target }).ended
      expect(restored, restored.err).toMatchObject({ code: 0, out: 'The backup is restored. Start the console.\n' })
      const other = await startScene(DATA_DIR, target)
      expect(await other.dashboards()).toEqual(expect.arrayContaining(acknowledged))
      // A new record gets a number of its own.
      await other.gateway.call('POST', '/api/c/local/stack/dashboards', { name: 'Afterwards', tiles: [] })
      await other.close()
    }
    const used = await command('restore', [backup], { DATA_DIR: join(folder, 'of-server-2'), ...env }).ended
    expect(used).toMatchObject({ code: 1, err: expect.stringContaining('has other records already') })
  })
})
