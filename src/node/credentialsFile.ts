/** `DATA_DIR/credentials.json`: the keys and the sign-in link for people and tools on this machine. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from './atomicFile.ts'

/** Replaces some fields and keeps the others, which another part of the product writes. Readable by its owner only. */
export function updateCredentialsFile(dataDir: string, fields: object): void {
  const path = join(dataDir, 'credentials.json')
  writeAtomically(path, `${JSON.stringify({ ...readObject(path), ...fields }, null, 2)}\n`)
}

/** The content of the file; empty if it is missing or damaged, because each part writes its fields again at its start. */
function readObject(path: string): object {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
