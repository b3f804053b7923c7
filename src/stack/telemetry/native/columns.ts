/**
 * Columns in the engine's Native format: the values of each column one after the other. `Array` and `Map` columns have
 * their offsets first, which are the number of items up to the end of each row.
 */
import { ByteWriter } from './byteWriter.ts'

export interface Column {
  /** As the engine spells it. */
  readonly type: string
  /** Their bytes one after the other are the column. */
  readonly streams: readonly ByteWriter[]
  /** Removes all rows. */
  clear(): void
}

/** Numbers, times and text. */
export class Values implements Column {
  readonly type: string
  readonly data = new ByteWriter()
  readonly streams = [this.data]

  constructor(type: string) {
    this.type = type
  }

  clear(): void {
    this.data.clear()
  }
}

/** A column of lists, or of lists of maps. Write the items of a row into `items`, then call `endRow` with their number. */
export class Lists<Items extends Column> implements Column {
  readonly type: string
  readonly items: Items
  readonly streams: readonly ByteWriter[]
  readonly #offsets = new ByteWriter()
  #count = 0

  constructor(items: Items) {
    this.items = items
    this.type = `Array(${items.type})`
    this.streams = [this.#offsets, ...items.streams]
  }

  endRow(items: number): void {
    this.#count += items
    this.#offsets.uint64(this.#count, 0)
  }

  clear(): void {
    this.#count = 0
    this.#offsets.clear()
    this.items.clear()
  }
}

/** A column of maps from text to text. Write the keys and values of a row, then call `endRow` with their number. */
export class Maps implements Column {
  readonly type = 'Map(String, String)'
  readonly keys = new ByteWriter()
  readonly values = new ByteWriter()
  readonly #offsets = new ByteWriter()
  readonly streams = [this.#offsets, this.keys, this.values]
  #count = 0

  endRow(entries: number): void {
    this.#count += entries
    this.#offsets.uint64(this.#count, 0)
  }

  /** Repeats for so many rows the entries that were written since the two positions. */
  repeat(keysStart: number, valuesStart: number, entries: number, rows: number): void {
    this.keys.repeat(keysStart, rows)
    this.values.repeat(valuesStart, rows)
    for (let row = 0; row < rows; row++) this.endRow(entries)
  }

  clear(): void {
    this.#count = 0
    for (const stream of this.streams) stream.clear()
  }
}

export const text = () => new Values('String')
export const uint8 = () => new Values('UInt8')
export const uint32 = () => new Values('UInt32')
export const int32 = () => new Values('Int32')
export const uint64 = () => new Values('UInt64')
export const float64 = () => new Values('Float64')
export const bool = () => new Values('Bool')
export const seconds = () => new Values('DateTime')
export const nanoseconds = () => new Values('DateTime64(9)')
export const maps = () => new Maps()
export const lists = <Items extends Column>(items: Items) => new Lists(items)
