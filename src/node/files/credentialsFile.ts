/** `DATA_DIR/credentials.json`: the keys and the sign-in link for people and tools on this machine. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from './atomicFile.ts'

const pathIn = (dataDir: string) => join(dataDir, 'credentials.json')

/** Replaces some fields and keeps the others, which another part of the product writes. Readable by its owner only. */
export function updateCredentialsFile(dataDir: string, fields: object): void {
  writeAtomically(pathIn(dataDir), `${JSON.stringify({ ...readCredentialsFile(dataDir), ...fields }, null, 2)}\n`)
}

/** The content of the file; empty if it is missing or damaged, because each part writes its fields again at its start. */
export function readCredentialsFile(dataDir: string): object {
  try {
    const value: unknown = JSON.parse(readFileSync(pathIn(dataDir), 'utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
