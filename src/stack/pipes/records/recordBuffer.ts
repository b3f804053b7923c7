/**
 * Records of a stream on their way into a table: one JSON object a line, with the partition and offset that each came
 * from. Filled until it is large enough for one load.
 */

/** A record that cannot become a row. */
export interface BadRecord {
  partition: number
  offset: number
  reason: string
  /** Its value as it came. */
  raw: Uint8Array
}

/** Where a record is in its stream. */
export interface RecordPlace {
  partition: number | string
  offset: number | string
}

/** The offsets of one partition that a load covers: from the first to before the last. */
export interface OffsetRange {
  from: number
  to: number
}

const lineBreak = 10
const openBrace = 123
const closeBrace = 125
/** Only so many bad records are kept; the others are counted. */
const keptBadRecords = 1000
const initialBytes = 64 * 1024

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

  /** @param placeOf what people know a record by, instead of the numbers of its partition and offset */
  constructor(
    readonly placeOf: (record: BadRecord) => RecordPlace = ({ partition, offset }) => ({ partition, offset }),
  ) {}

  #data = Buffer.allocUnsafe(initialBytes)
  #used = 0
  /** The start of each line, and where its record came from. */
  #starts: number[] = []
  #partitions: number[] = []
  #offsets: number[] = []

  get rows(): number {
    return this.#starts.length
  }

  get bytes(): number {
    return this.#used
  }

  get isEmpty(): boolean {
    return this.ranges.size === 0
  }

  /** The memory that the buffer holds, in bytes. */
  get capacity(): number {
    return this.#data.length
  }

  /** Notes that the offsets of a partition up to `to` were read. */
  advance(partition: number, from: number, to: number): void {
    const range = this.ranges.get(partition)
    if (range) range.to = to
    else this.ranges.set(partition, { from, to })
  }

  /**
   * Adds a value that should be a JSON object. Anything else is bad.
   * @param prefix members to put in front of its own, such as `"_offset":7`
   */
  addJson(partition: number, offset: number, source: Buffer, from: number, to: number, prefix?: string): void {
    let first = from
    let last = to - 1
    while (first < to && isSpace(source[first])) first++
    while (last > first && isSpace(source[last])) last--
    if (last <= first || source[first] !== openBrace || source[last] !== closeBrace) {
      this.addBad({ partition, offset, reason: 'the value is not a JSON object', raw: source.subarray(from, to) })
      return
    }
    this.#begin(partition, offset, last - first + 2 + (prefix ? prefix.length * 3 + 2 : 0))
    if (prefix) {
      this.#data[this.#used++] = openBrace
      this.#used += this.#data.write(prefix, this.#used)
      first++
      while (isSpace(source[first])) first++
      if (first < last) this.#data[this.#used++] = 44 // comma
    }
    source.copy(this.#data, this.#used, first, last + 1)
    this.#used += last + 1 - first
    this.#data[this.#used++] = lineBreak
  }

  /** Adds a JSON object that this process wrote, with one character for each byte. */
  addLine(partition: number, offset: number, line: string): void {
    this.#begin(partition, offset, line.length + 1)
    this.#used += this.#data.write(line, this.#used, 'latin1')
    this.#data[this.#used++] = lineBreak
  }

  addBad(record: BadRecord): void {
    this.badCount++
    // A copy: the value is part of a much larger buffer.
    if (this.bad.length < keptBadRecords) this.bad.push({ ...record, raw: Uint8Array.from(record.raw) })
  }

  /** The lines from one row to before another. */
  lines(fromRow = 0, toRow = this.rows): Buffer {
    return this.#data.subarray(this.#startOf(fromRow), this.#startOf(toRow))
  }

  /** The line of a row without its line break. */
  line(row: number): Buffer {
    return this.#data.subarray(this.#startOf(row), this.#startOf(row + 1) - 1)
  }

  /** Moves rows to the bad ones. @param reasons by row */
  exclude(reasons: ReadonlyMap<number, string>): void {
    if (reasons.size === 0) return
    let used = 0
    let kept = 0
    const rows = this.rows
    for (let row = 0; row < rows; row++) {
      const from = this.#startOf(row)
      const to = this.#startOf(row + 1)
      const partition = this.#partitions[row] ?? 0
      const offset = this.#offsets[row] ?? 0
      const reason = reasons.get(row)
      if (reason !== undefined) {
        this.addBad({ partition, offset, reason, raw: this.#data.subarray(from, to - 1) })
        continue
      }
      this.#data.copyWithin(used, from, to)
      this.#starts[kept] = used
      this.#partitions[kept] = partition
      this.#offsets[kept] = offset
      used += to - from
      kept++
    }
    this.#used = used
    this.#starts.length = this.#partitions.length = this.#offsets.length = kept
  }

  #startOf(row: number): number {
    return this.#starts[row] ?? this.#used
  }

  #begin(partition: number, offset: number, bytes: number): void {
    const needed = this.#used + bytes
    if (needed > this.#data.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, Math.ceil(this.#data.length * 1.5)))
      this.#data.copy(larger, 0, 0, this.#used)
      this.#data = larger
    }
    this.#starts.push(this.#used)
    this.#partitions.push(partition)
    this.#offsets.push(offset)
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}
