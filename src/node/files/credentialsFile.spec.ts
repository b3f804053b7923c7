import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { updateCredentialsFile } from './credentialsFile.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'credentials-'))

describe('credentials.json', () => {
  test('keeps unknown fields, readable by its owner only', () => {
    const dataDir = folder()
    const path = join(dataDir, 'credentials.json')
    writeFileSync(path, JSON.stringify({ ingestionKey: 'i', signInUrl: 'old' }), { mode: 0o644 })
    updateCredentialsFile(dataDir, { signInUrl: 'new' })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ingestionKey: 'i', signInUrl: 'new' })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['credentials.json'])
  })

  test.each(['missing', 'damaged'])('is created if it is %s', (state) => {
    const dataDir = folder()
    if (state === 'damaged') writeFileSync(join(dataDir, 'credentials.json'), '{"ingestionKey"')
    updateCredentialsFile(dataDir, { signInUrl: 'link' })
    expect(JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'))).toEqual({ signInUrl: 'link' })
  })
})
