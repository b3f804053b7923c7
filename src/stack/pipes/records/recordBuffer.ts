/**
 * Records of a stream on their way into a table: one JSON object a line, with the partition and offset that each came
 * from. Filled until it is large enough for one load. Rows are not copied out of what was read of the source, where that is possible.
 */
import { RowTable } from './rowTable.ts'

/** A record that cannot become a row. */
export interface BadRecord {
  partition: number
  offset: number
  reason: string
  /** Its value as it came. A batch keeps the beginning. */
  raw: Uint8Array
  /** The size of the value, if `raw` is only its beginning. */
  rawBytes?: number
}

/** Counts who still needs the memory of a source. */
export interface SourceHolder {
  hold(part: Uint8Array): void
  release(part: Uint8Array): void
}

/** Where a record is in its stream. */
export interface RecordPlace {
  partition: number | string
  offset: number | string
}

/** The offsets of one partition that a load covers: `from` is the first, `to` the one after the last. */
export interface OffsetRange {
  from: number
  to: number
}

const lineBreak = 10
const comma = 44
const openBrace = 123
const closeBrace = 125
/** Only so many bad records are kept, which is more than a batch has; the others are counted. */
const keptBadRecords = 200_000
/** So much of each is kept, and less once the first have taken much memory. */
const keptRawBytes = 8 * 1024
const manyRawBytes = 8 * 1024 * 1024
const keptRawBytesOfMany = 128
/** Rows that are copied go into chunks that grow up to this size. */
const firstChunkBytes = 16 * 1024
const largestChunkBytes = 1024 * 1024
/** A gap between two rows of a source is overwritten if it is not longer than this. */
const maxGap = 256
/** A row that is farther from the one before is copied if it is not longer than this. */
const copiedBytes = 4096

export class RecordBuffer {
  readonly ranges = new Map<number, OffsetRange>()
  readonly bad: BadRecord[] = []
  badCount = 0
  /** Records that were read, including bad ones and those without a value. */
  readRecords = 0
  /** Bytes of the values that were read. */
  readBytes = 0
  /** Bytes as they were sent by the source, possibly compressed. */
  wireBytes = 0
  /** The sum of the records' times in epoch milliseconds. */
  timestamps = 0

  readonly placeOf: (record: Pick<BadRecord, 'partition' | 'offset'>) => RecordPlace
  readonly holder: SourceHolder | null

  /**
   * @param placeOf what people know a record by, instead of the numbers of its partition and offset
   * @param holder notified of the sources whose memory the rows use. Default: nobody
   */
  constructor(
    placeOf: (record: Pick<BadRecord, 'partition' | 'offset'>) => RecordPlace = ({ partition, offset }) => ({
      partition,
      offset,
    }),
    holder: SourceHolder | null = null,
  ) {
    this.placeOf = placeOf
    this.holder = holder
  }

  readonly #table = new RowTable()
  /** The buffers of the rows: parts of what was read, and chunks with copies. */
  readonly #sources: Buffer[] = []
  /** The memory of sources with rows, with a part of each. */
  readonly #held = new Map<ArrayBufferLike, Buffer>()
  #sourceBytes = 0
  /** Chunks and bad records. */
  #copiedBytes = 0
  #rowBytes = 0
  /** The retained part of bad records. */
  #badBytes = 0
  /** The source that the last row was left in, its number, and where that row ends. */
  #kept: Buffer | undefined
  #keptNumber = 0
  #keptEnd = 0
  /** The chunk for copies, its number, and how much of it is used. */
  #chunk = Buffer.alloc(0)
  #chunkNumber = 0
  #used = 0

  get rows(): number {
    return this.#table.count
  }

  /** The bytes of the rows, each with a line break. */
  get bytes(): number {
    return this.#rowBytes
  }

  get isEmpty(): boolean {
    return this.ranges.size === 0
  }

  /** The memory that the buffer holds, in bytes. */
  get capacity(): number {
    return this.#sourceBytes + this.#copiedBytes + this.#table.bytes
  }

  /** The part of `capacity` that is copies: chunks of rows and bad records, without the sources that rows were left in. */
  get copiedBytes(): number {
    return this.#copiedBytes
  }

  /** Notes that the offsets of a partition from `from` to before `to` were read. */
  advance(partition: number, from: number, to: number): void {
    const range = this.ranges.get(partition)
    if (range) range.to = to
    else this.ranges.set(partition, { from, to })
  }

  /**
   * Adds a copy of a value that should be a JSON object. Anything else is bad.
   * @param prefix members to put in front of its own, such as `"_offset":7`
   */
  addJson(partition: number, offset: number, source: Buffer, from: number, to: number, prefix?: string): void {
    this.#addJson(partition, offset, source, from, to, prefix, false)
  }

  /**
   * Adds a value that should be a JSON object, and leaves it where it is: the source is kept, and what is around its rows
   * is overwritten. The rows of a source come in their order.
   */
  keepJson(partition: number, offset: number, source: Buffer, from: number, to: number): void {
    this.#addJson(partition, offset, source, from, to, undefined, true)
  }

  /** Adds a JSON object that this process wrote, with one character for each byte. */
  addLine(partition: number, offset: number, line: string): void {
    this.#reserve(line.length + 1)
    const start = this.#used
    this.#used += this.#chunk.write(line, this.#used, 'latin1')
    this.#endCopy(partition, offset, start)
  }

  addBad(record: BadRecord): void {
    this.badCount++
    if (this.bad.length >= keptBadRecords) return
    // A copy: the value is part of a much larger buffer.
    const kept = this.#badBytes < manyRawBytes ? keptRawBytes : keptRawBytesOfMany
    const raw = Uint8Array.from(record.raw.subarray(0, kept))
    this.#badBytes += raw.length
    this.bad.push({ ...record, raw, rawBytes: record.rawBytes ?? record.raw.length })
    this.#copiedBytes += raw.length
  }

  /** The lines from one row to before another, in pieces. */
  lines(fromRow = 0, toRow = this.rows): Buffer[] {
    const { sources, starts, ends } = this.#table
    const pieces: Buffer[] = []
    for (let row = fromRow; row < toRow;) {
      const source = sources[row] ?? 0
      const start = starts[row] ?? 0
      let end = ends[row] ?? 0
      for (row++; row < toRow && sources[row] === source && (starts[row] ?? 0) - end <= maxGap; row++) {
        end = ends[row] ?? 0
      }
      pieces.push(this.#part(source, start, end + 1))
    }
    return pieces
  }

  /** The line of a row without its line break. */
  line(row: number): Buffer {
    const { sources, starts, ends } = this.#table
    return this.#part(sources[row] ?? 0, starts[row] ?? 0, ends[row] ?? 0)
  }

  /** The place of the first row, or of the first bad record without rows. */
  first(): { partition: number; offset: number } | null {
    if (this.rows === 0) return this.bad[0] ?? null
    return { partition: this.#table.partitions[0] ?? 0, offset: this.#table.offsets[0] ?? 0 }
  }

  /** Where the records of the rows are in their stream. */
  *places(): Generator<RecordPlace> {
    const { partitions, offsets } = this.#table
    for (let row = 0; row < this.rows; row++) {
      yield this.placeOf({ partition: partitions[row] ?? 0, offset: offsets[row] ?? 0 })
    }
  }

  /** Gives the memory of the sources back. The buffer must not be used any more. */
  release(): void {
    for (const source of this.#held.values()) this.holder?.release(source)
    this.#held.clear()
  }

  /** Moves rows to the bad ones. @param reasons by row */
  exclude(reasons: ReadonlyMap<number, string>): void {
    const { partitions, offsets } = this.#table
    for (const [row, reason] of reasons) {
      const raw = this.line(row)
      this.addBad({ partition: partitions[row] ?? 0, offset: offsets[row] ?? 0, reason, raw })
      this.#rowBytes -= raw.length + 1
      // It may be between two rows that stay.
      raw.fill(lineBreak)
    }
    if (reasons.size > 0) this.#table.keep((row) => !reasons.has(row))
  }

  #addJson(
    partition: number,
    offset: number,
    source: Buffer,
    from: number,
    to: number,
    prefix: string | undefined,
    keeps: boolean,
  ): void {
    let start = from
    let last = to - 1
    while (start < to && isSpace(source[start])) start++
    while (last > start && isSpace(source[last])) last--
    if (last <= start || source[start] !== openBrace || source[last] !== closeBrace) {
      this.addBad({ partition, offset, reason: 'the value is not a JSON object', raw: source.subarray(from, to) })
      return
    }
    const end = last + 1
    if (keeps && end < source.length && this.#keep(source, start, end)) {
      this.#table.add(this.#keptNumber, start, end, partition, offset)
      this.#rowBytes += end - start + 1
      return
    }
    this.#reserve(end - start + 1 + (prefix ? prefix.length * 3 + 2 : 0))
    const begun = this.#used
    if (prefix) {
      this.#chunk[this.#used++] = openBrace
      this.#used += this.#chunk.write(prefix, this.#used)
      start++
      while (isSpace(source[start])) start++
      if (start < last) this.#chunk[this.#used++] = comma
    }
    source.copy(this.#chunk, this.#used, start, end)
    this.#used += end - start
    this.#endCopy(partition, offset, begun)
  }

  /** Makes a row of a part of a source. @returns false if it has to be copied */
  #keep(source: Buffer, start: number, end: number): boolean {
    if (source !== this.#kept) {
      this.#kept = source
      this.#keptNumber = this.#sources.push(source) - 1
      this.#hold(source)
    } else if (start - this.#keptEnd <= maxGap) {
      for (let at = this.#keptEnd; at < start; at++) source[at] = lineBreak
    } else if (end - start <= copiedBytes) return false
    source[end] = lineBreak
    this.#keptEnd = end
    return true
  }

  /** The buffer of a source is held as a whole. */
  #hold(source: Buffer): void {
    if (this.#held.has(source.buffer)) return
    this.#held.set(source.buffer, source)
    this.#sourceBytes += source.buffer.byteLength
    this.holder?.hold(source)
  }

  /** Makes room for a copy. */
  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#chunk.length) return
    const size = Math.min(largestChunkBytes, Math.max(firstChunkBytes, this.#chunk.length * 2))
    this.#chunk = Buffer.allocUnsafeSlow(Math.max(size, bytes))
    this.#chunkNumber = this.#sources.push(this.#chunk) - 1
    this.#copiedBytes += this.#chunk.length
    this.#used = 0
  }

  #endCopy(partition: number, offset: number, start: number): void {
    this.#table.add(this.#chunkNumber, start, this.#used, partition, offset)
    this.#chunk[this.#used++] = lineBreak
    this.#rowBytes += this.#used - start
  }

  #part(source: number, start: number, end: number): Buffer {
    return (this.#sources[source] ?? this.#chunk).subarray(start, end)
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}
