import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectionInput } from '#contract/connections.ts'
import { Connections } from './connections.ts'
import { rotateKey, settleRotation } from './connectionKeyRotation.ts'
import { openKeyInUse } from './keysInUse.ts'
import { UnusableState } from '#node/stateFile.ts'
import { openKey } from '#node/vault.ts'
import { program } from '#node/testing/program.ts'

const secrets = { oss: 'personal-key-of-the-test-0001', managed: 'key-secret-of-the-test-0002' }
const [first, second] = ['the first console secret', 'the second console secret']

/** Of the folders of this file. */
const dataKeys = new Map<string, Buffer>()

function folder(secret?: string): string {
  const dataDir = folderWithoutData(secret)
  dataKeys.set(dataDir, new Connections(dataDir, openKey(dataDir, secret)).dataKey())
  return dataDir
}

function folderWithoutData(secret?: string): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'rotation-'))
  const connections = new Connections(dataDir, openKey(dataDir, secret))
  const common = { baseUrl: 'https://one.example', name: 'One' }
  connections.create(connectionInput.parse({ ...common, variant: 'openSource', accessKey: secrets.oss }), 'oss')
  const ids = { organizationId: 'o', serviceId: 's', keyId: 'id', keySecret: secrets.managed }
  connections.create(connectionInput.parse({ ...common, ...ids, variant: 'managed' }), 'managed')
  connections.create(connectionInput.parse({ ...common, variant: 'openSource' }), 'keyless')
  return dataDir
}

/** Opens as a start does. Throws if a stored secret does not open. */
function start(dataDir: string, secret?: string): void {
  settleRotation(dataDir, secret)
  const connections = new Connections(dataDir, openKeyInUse(dataDir, secret))
  expect(JSON.stringify(connections.open('oss'))).toContain(secrets.oss)
  const basic = Buffer.from(`id:${secrets.managed}`).toString('base64')
  expect(JSON.stringify(connections.open('managed'))).toMatch(new RegExp(`${secrets.managed}|${basic}`))
  expect(connections.dataKey()).toEqual(dataKeys.get(dataDir))
}

const opens = (dataDir: string, secret?: string) => {
  try {
    start(dataDir, secret)
    return true
  } catch {
    return false
  }
}

describe('key rotation', () => {
  test.each([
    ['of the key file', undefined, undefined],
    ['of the salt of a secret', first, undefined],
    ['to another secret', first, second],
    ['from the key file to a secret', undefined, second],
  ])('%s re-encrypts all secrets, and the old key opens none', (_, secret, newSecret) => {
    const dataDir = folder(secret)
    const before = openKey(dataDir, secret)
    expect(rotateKey(dataDir, secret, newSecret ?? secret)).toBe(2)
    const kept = newSecret ?? secret
    start(dataDir, kept)
    expect(openKey(dataDir, kept).id).not.toBe(before.id)
    expect(() => new Connections(dataDir, before).open('oss')).toThrow(/encrypted with another key/)
    expect(() => new Connections(dataDir, before).dataKey()).toThrow(/encrypted with another key/)
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.next'))).toEqual([])
    if (kept) expect(existsSync(join(dataDir, 'console.key'))).toBe(false)
  })

  test('changes nothing if a stored secret cannot be decrypted, and names the connection', () => {
    const dataDir = folder()
    const path = join(dataDir, 'connections.json')
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('"baseUrl": "https://one.example"', '"baseUrl": "https://two.example"'),
    )
    const files = () =>
      readdirSync(dataDir)
        .filter((name) => !name.endsWith('.next'))
        .map((name) => readFileSync(join(dataDir, name), 'utf8'))
    const before = files()
    expect(() => rotateKey(dataDir)).toThrow(/“One” cannot be decrypted/)
    expect(files()).toEqual(before)
    settleRotation(dataDir)
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.next'))).toEqual([])
  })
})

describe('start with a key that decrypts nothing', () => {
  const contents = (dataDir: string) =>
    readdirSync(dataDir).map((name) => [name, readFileSync(join(dataDir, name), 'utf8')])

  test.each([
    ['another secret', first, second, 'another CONSOLE_SECRET'],
    ['no secret', first, undefined, 'with a CONSOLE_SECRET'],
    ['a secret instead of the key file', undefined, first, 'with console.key'],
  ])('with %s is refused and changes nothing, as is a rotation', (_, sealedBy, given, named) => {
    const dataDir = folder(sealedBy)
    const before = contents(dataDir)
    expect(() => openKeyInUse(dataDir, given)).toThrow(UnusableState)
    expect(() => openKeyInUse(dataDir, given)).toThrow(named)
    expect(() => rotateKey(dataDir, given)).toThrow(UnusableState)
    expect(contents(dataDir)).toEqual(before)
    start(dataDir, sealedBy)
  })

  test('continues if every stored secret can be entered again, and there is no history that would be lost', () => {
    expect(() => openKeyInUse(folder(), first, ['oss', 'managed'])).toThrow(UnusableState)
    const dataDir = folderWithoutData()
    expect(() => openKeyInUse(dataDir, first, ['oss'])).toThrow(UnusableState)
    expect(openKeyInUse(dataDir, first, ['oss', 'managed'])).toEqual(openKey(dataDir, first))
  })
})

const worker = program(join(import.meta.dirname, '../testing/keyRotationWorker.ts'))

/** Rotates in a process that is killed right before the nth time that it changes which files there are. */
function rotateKilledAt(killAt: number, dataDir: string, secret?: string, newSecret?: string): boolean {
  const order = JSON.stringify({ killAt, dataDir, secret, newSecret })
  const { signal, status, stderr } = spawnSync(process.execPath, [...worker.execArgv, worker.file, order], {
    encoding: 'utf8',
  })
  if (signal !== 'SIGKILL') expect(status, stderr).toBe(0)
  return signal === 'SIGKILL'
}

test.each([
  ['of the key file', undefined, undefined],
  ['to another secret', first, second],
])(
  'rotation %s, killed at any moment, loses no secret and can be repeated',
  { timeout: 300_000 },
  (_, secret, newSecret) => {
    let kills = 0
    for (let n = 1; ; n++) {
      const dataDir = folder(secret)
      if (!rotateKilledAt(n, dataDir, secret, newSecret)) break
      kills += 1
      // Whoever starts next has one of the two secrets: exactly one opens, whichever is tried first.
      const [wrong, right] = opens(dataDir, secret) ? [newSecret, secret] : [secret, newSecret]
      if (newSecret) expect(opens(dataDir, wrong), `killed at ${n}`).toBe(false)
      start(dataDir, right)
      rotateKey(dataDir, right, newSecret)
      start(dataDir, newSecret)
    }
    expect(kills).toBeGreaterThanOrEqual(4)
  },
)
