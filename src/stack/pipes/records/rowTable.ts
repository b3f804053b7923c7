/** Where the rows of a buffer are, and where their records came from: a column of numbers for each, without an object a row. */
const initialRows = 1024

export class RowTable {
  count = 0
  /** The source of each row, as a number. */
  sources = new Uint32Array(initialRows)
  starts = new Uint32Array(initialRows)
  ends = new Uint32Array(initialRows)
  partitions = new Uint32Array(initialRows)
  offsets = new Float64Array(initialRows)

  get bytes(): number {
    return this.offsets.byteLength + 4 * this.starts.byteLength
  }

  add(source: number, start: number, end: number, partition: number, offset: number): void {
    const row = this.count++
    if (row === this.offsets.length) this.#grow()
    this.sources[row] = source
    this.starts[row] = start
    this.ends[row] = end
    this.partitions[row] = partition
    this.offsets[row] = offset
  }

  /** Keeps some rows, in their order. */
  keep(isKept: (row: number) => boolean): void {
    let kept = 0
    for (let row = 0; row < this.count; row++) {
      if (!isKept(row)) continue
      for (const column of [this.sources, this.starts, this.ends, this.partitions, this.offsets]) {
        column[kept] = column[row] ?? 0
      }
      kept++
    }
    this.count = kept
  }

  #grow(): void {
    const rows = this.offsets.length * 2
    const larger = (column: Uint32Array<ArrayBuffer>) => {
      const grown = new Uint32Array(rows)
      grown.set(column)
      return grown
    }
    this.sources = larger(this.sources)
    this.starts = larger(this.starts)
    this.ends = larger(this.ends)
    this.partitions = larger(this.partitions)
    const offsets = new Float64Array(rows)
    offsets.set(this.offsets)
    this.offsets = offsets
  }
}
