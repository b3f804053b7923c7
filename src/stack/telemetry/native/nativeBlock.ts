/** A block of rows in the engine's Native format. Blocks of the same columns, one after the other, are one insert. */
import { ByteWriter } from './byteWriter.ts'
import type { Column } from './columns.ts'

export interface NativeBlock {
  rows: number
  /** Name and type of each column. */
  columns: readonly (readonly [name: string, type: string])[]
  data: Buffer
}

/** The block of these columns, which all have so many rows. */
export function nativeBlock(columns: Readonly<Record<string, Column>>, rows: number): NativeBlock {
  const entries = Object.entries(columns)
  const parts: Buffer[] = []
  let head = new ByteWriter()
  head.varint(entries.length)
  head.varint(rows)
  for (const [name, { type, streams }] of entries) {
    head.string(name)
    head.string(type)
    parts.push(head.written(), ...streams.map((stream) => stream.written()))
    head = new ByteWriter()
  }
  return { rows, columns: entries.map(([name, { type }]) => [name, type]), data: Buffer.concat(parts) }
}
