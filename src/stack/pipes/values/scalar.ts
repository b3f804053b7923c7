/** Single values of records, as their sources sent them. */
import type { ColumnType } from './columnType.ts'

export interface Scalar {
  kind: 'number' | 'text' | 'word'
  /** The digits as they were sent, the content of a text, or `true` and the like. */
  text: string
}

/** The end of a reason that begins with the value. */
export function outOfRange(type: ColumnType): string {
  return `is out of range for ${type.text}`
}
