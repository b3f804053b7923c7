/**
 * Rows for the embedded engine, which takes no binary data with a statement: they go through a short-lived file, which
 * the system keeps in memory.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { textLiteral } from './params.ts'
import { quoted } from './tableName.ts'
import type { NativeBlock } from '../native/nativeBlock.ts'

type InsertFile = (data: readonly Uint8Array[], work: (file: string) => Promise<unknown>) => Promise<void>

/** Keeps the files of inserts in this folder. Those of a process that was killed are removed. */
export function insertFiles(folder: string): InsertFile {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  let count = 0
  return async (data, work) => {
    const file = join(folder, String((count += 1)))
    try {
      await writeAll(file, data)
      await work(file)
    } finally {
      await rm(file, { force: true })
    }
  }
}

/** Writes a file at once: a write for each piece would wake a thread for each. */
async function writeAll(file: string, data: readonly Uint8Array[]): Promise<void> {
  const handle = await open(file, 'w')
  try {
    const { bytesWritten } = await handle.writev(data)
    const bytes = data.reduce((sum, { length }) => sum + length, 0)
    if (bytesWritten !== bytes) throw new Error(`only ${bytesWritten} of ${bytes} bytes of an insert could be written`)
  } finally {
    await handle.close()
  }
}

/** The statement that inserts the blocks in a file. */
export function insertFrom(file: string, table: string, blocks: readonly NativeBlock[]): string {
  const names = columnList(blocks)
  const structure = (blocks[0]?.columns ?? []).map(([name, type]) => `${quoted(name)} ${type}`).join(', ')
  return `INSERT INTO ${table} (${names}) SELECT ${names} FROM file(${textLiteral(file)}, 'Native', ${textLiteral(structure)})`
}

/** The table function that reads the rows in a file. */
export function rowsIn(file: string, structure: string): string {
  return `file(${textLiteral(file)}, 'JSONEachRow', ${textLiteral(structure)}, 'none')`
}

/** The columns of some blocks, as an INSERT lists them. */
export function columnList([first]: readonly NativeBlock[]): string {
  return (first?.columns ?? []).map(([name]) => quoted(name)).join(', ')
}
