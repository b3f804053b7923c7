/** Why the windows of an alert cannot be read with chart queries. */

export type UnavailableReason =
  /** Raw SQL. */
  | 'sql'
  /** A tile that alerts cannot watch, or whose configuration is not known. */
  | 'tile'
  /** A kind of query that is not known here. */
  | 'source'
  /** A record that does not exist. */
  | 'missing'
  /** Conditions in both languages. */
  | 'languages'
  /** A condition that is invalid. */
  | 'condition'
  /** More series or group columns than a chart query has. */
  | 'limits'
  /** Windows that cannot be put together from the buckets of charts. */
  | 'windows'
  /** A value that is not a number. */
  | 'value'
  /** No connection has chart queries. */
  | 'charts'

export interface Unavailable {
  kind: 'unavailable'
  reason: UnavailableReason
  /** The reason as a sentence for people. */
  sentence: string
}

export function unavailable(reason: UnavailableReason, sentence: string): Unavailable {
  return { kind: 'unavailable', reason, sentence }
}
