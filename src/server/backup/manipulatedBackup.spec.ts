/** Backups that are damaged, or that somebody made to write elsewhere. */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '#gateway/database/database.ts'
import { readConfig } from '#stack/config.ts'
import { firstStart } from '#stack/startup/firstStart.ts'
import { openStore } from '#stack/store/store.ts'
import { firstContent } from '#stack/testing/testStack.ts'
import { readSettings } from '../serverSettings.ts'
import { checkEngineBackup } from './engineBackup.ts'
import { makeBackup } from './makeBackup.ts'
import type { Manifest } from './manifest.ts'
import { progressReporter } from './runCommand.ts'
import { restoreBackup } from './restoreBackup.ts'

const folder = mkdtempSync(join(tmpdir(), 'manipulated-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const say = progressReporter(() => {})
const configOf = (dataDir: string) => ({
  settings: readSettings({ DATA_DIR: dataDir }),
  config: readConfig({ DATA_DIR: dataDir }),
  say,
})

let original: string
beforeAll(async () => {
  const dataDir = join(folder, 'data')
  const store = await openStore({ file: join(dataDir, 'stack.db') })
  await firstStart(store, firstContent)
  await store.close()
  await (await openDatabase(dataDir)).close()
  const into = join(folder, 'backups')
  const order = { ...configOf(dataDir), into, withKeys: false, withTelemetry: true, version: '1.2.3' }
  original = await makeBackup(order)
})

let backup: string
let dataDir: string
let count = 0
beforeEach(() => {
  const own = join(folder, String((count += 1)))
  backup = join(own, 'backup')
  dataDir = join(own, 'data')
  cpSync(original, backup, { recursive: true })
})

const restore = () => restoreBackup({ ...configOf(dataDir), from: backup, keysFrom: undefined, replace: false })
const manifestPath = () => join(backup, 'manifest.json')
function edit(change: (manifest: Manifest) => void): void {
  const manifest = JSON.parse(readFileSync(manifestPath(), 'utf8'))
  change(manifest)
  writeFileSync(manifestPath(), JSON.stringify(manifest))
}
/** Adds a file as somebody would who knows the format. */
function plant(path: string, content: string): void {
  mkdirSync(dirname(join(backup, path)), { recursive: true })
  writeFileSync(join(backup, path), content)
  const sha256 = createHash('sha256').update(content).digest('hex')
  edit(({ files }) => files.push({ path, bytes: Buffer.byteLength(content), sha256 }))
}

test('the backup itself is restored', async () => {
  await restore()
  expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['console.db', 'stack.db']))
})

const manipulations: Record<string, [() => void, RegExp]> = {
  'a changed byte': [
    () => {
      const bytes = readFileSync(join(backup, 'stack.db'))
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      writeFileSync(join(backup, 'stack.db'), bytes)
    },
    /stack\.db is not as it was written/,
  ],
  'a file that was cut': [
    () => writeFileSync(join(backup, 'console.db'), ''),
    /console\.db has 0 bytes instead of \d+/,
  ],
  'a missing file': [() => rmSync(join(backup, 'stack.db')), /stack\.db is missing/],
  'a file too many': [() => writeFileSync(join(backup, 'more'), ''), /more is not in its manifest/],
  'no manifest': [() => rmSync(manifestPath()), /has no manifest\.json: it is no backup, or an unfinished one/],
  'a manifest that was cut': [
    () => writeFileSync(manifestPath(), readFileSync(manifestPath()).subarray(0, 100)),
    /manifest .* is damaged: it is not JSON/,
  ],
  'a manifest without its records': [
    () => edit((manifest) => Object.assign(manifest, { console: 'yes' })),
    /manifest .* is damaged/,
  ],
  'a later format': [() => edit((manifest) => Object.assign(manifest, { format: 2 })), /written by a newer version/],
  'later records': [
    () => edit((manifest) => Object.assign(manifest.stack ?? {}, { migrations: 1000 })),
    /written by a newer version of the stack/,
  ],
  'a path to elsewhere': [() => plant('../outside', 'x'), /"\.\.\/outside" is no file of a backup/],
  'a path through the telemetry': [() => plant('engine/../../outside', 'x'), /is no file of a backup/],
  'a link': [
    () => {
      rmSync(join(backup, 'stack.db'))
      symlinkSync('/etc/hostname', join(backup, 'stack.db'))
    },
    /stack\.db is no ordinary file/,
  ],
  'a linked folder': [() => symlinkSync('/etc', join(backup, 'engine')), /engine is no ordinary file/],
  'records that are no database': [
    () => {
      const text = 'a letter '.repeat(1000)
      writeFileSync(join(backup, 'stack.db'), text)
      const sha256 = createHash('sha256').update(text).digest('hex')
      edit(({ files }) => Object.assign(files.find(({ path }) => path === 'stack.db') ?? {}, { bytes: 9000, sha256 }))
    },
    /stack\.db cannot be read \(SQLITE_NOTADB\)/,
  ],
}

test.each(Object.entries(manipulations))('%s is refused, and nothing is written', async (_, [manipulate, message]) => {
  manipulate()
  await expect(restore()).rejects.toThrow(message)
  const left = existsSync(dataDir) ? readdirSync(dataDir) : []
  expect(left.filter((name) => !name.startsWith('console.lock'))).toEqual([])
})

describe('the engine’s own backup', () => {
  const list = (name: string, more = '') =>
    `<config><contents><file><name>${name}</name>${more}</file></contents></config>`
  const table = (rest: string) => `CREATE TABLE telemetry.logs (\`a\` UInt64) ENGINE = ${rest}`
  const write = (xml: string, sql = table('MergeTree ORDER BY a')) => {
    mkdirSync(join(backup, 'engine/metadata/telemetry'), { recursive: true })
    writeFileSync(join(backup, 'engine/.backup'), xml)
    writeFileSync(join(backup, 'engine/metadata/telemetry/logs.sql'), sql)
    writeFileSync(join(backup, 'engine/metadata/telemetry.sql'), 'CREATE DATABASE telemetry ENGINE = Atomic')
    return checkEngineBackup(join(backup, 'engine'))
  }
  const good = list('data/telemetry/logs/all_1_1_0/a.bin')

  test('may have what the product writes', async () => {
    await write(good, table('ReplacingMergeTree ORDER BY a SETTINGS index_granularity = 8192'))
  })

  test.each<[string, string, string?]>([
    ['a name outside', list('data/telemetry/logs/all_1_1_0/../../../../x')],
    ['an absolute name', list('/etc/passwd')],
    ['an escaped name', list('data/&#46;&#46;/x')],
    ['the data of another file', list('data/a.bin', '<data_file>../x</data_file>')],
    ['another backup', `<config><base_backup>S3('http://x')</base_backup></config>`],
    ['a table of a file', good, table("File(CSV, '/etc/passwd')")],
    ['a table of an address', good, table("URL('http://127.0.0.1/', CSV)")],
    ['a disk elsewhere', good, table("MergeTree ORDER BY a SETTINGS disk = disk(type = local, path = '/etc/')")],
  ])('must not have %s', async (_, ...files) => {
    await expect(write(...files)).rejects.toThrow('The backup is damaged or was manipulated')
  })
})
