/** Attributes of rows in a part of a chart and around it, and how many rows have each of their values. */

/** A value of an attribute: a text, or the numbers from one (included) up to another (excluded), null for no bound. */
export type AttributeValue = { kind: 'text'; text: string } | { kind: 'range'; from: number | null; to: number | null }

export interface ValueCount {
  value: AttributeValue
  inside: number
  outside: number
}

/** How many rows have each value of an attribute. Rows in none of the counts do not have the attribute. */
export interface AttributeCounts {
  /** The expression of the attribute: a column, or a key of a map as `LogAttributes['http.method']`. */
  attribute: string
  values: ValueCount[]
  /** Values that are not listed: how many they are, and their rows. */
  others: { values: number; inside: number; outside: number }
}

/** Rows that are compared: in the selection, and around it. */
export interface Sides<T> {
  inside: T
  outside: T
}

export interface ComparedRow {
  /** Epoch milliseconds; NaN where it is not known. */
  at: number
  /** By attribute. A row without an attribute has no value or the empty text. */
  values: ReadonlyMap<string, string>
  /** 1 by default. */
  weight?: number
}
