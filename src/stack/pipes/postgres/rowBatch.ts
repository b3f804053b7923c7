/** Rows of a source table on their way into the destination, each with the key that people know it by. */
import { RecordBuffer } from '../records/recordBuffer.ts'

/** A row as the server writes it. */
export interface JsonRow extends Record<string, string | null> {
  /** A JSON object with its columns. */
  row: string
  /** Its key, for people. */
  place: string | null
}

export interface RowBatch {
  records: RecordBuffer
  /** @param more members in front of those of the row, such as `"_pipe_version":7` */
  add(row: JsonRow, more?: string): void
  isFull(): boolean
}

/** The limits of a batch. */
const maxRows = 100_000
const maxBytes = 16 * 2 ** 20

/** @param keyNames the names of the key's columns, for the error table */
export function newRowBatch(keyNames: string): RowBatch {
  const places: string[] = []
  const records = new RecordBuffer(({ offset }) => ({ partition: keyNames, offset: places[offset] ?? '' }))
  return {
    records,
    add({ row, place }, more) {
      const json = Buffer.from(row)
      records.addJson(0, places.push(place ?? '') - 1, json, 0, json.length, more)
    },
    isFull: () => records.rows + records.badCount >= maxRows || records.bytes >= maxBytes,
  }
}

/** The size of a row in memory, about. */
export const bytesOfRow = ({ row, place }: JsonRow) => row.length + (place?.length ?? 0)
