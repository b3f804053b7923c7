/** A range of time between two moments, epoch milliseconds, `from` < `to`. */
export interface Span {
  from: number
  to: number
}
