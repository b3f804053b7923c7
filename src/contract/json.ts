/**
 * JSON that loses nothing: a number that JavaScript would spell otherwise (beyond 2^53, `1.0`, `1e400`)
 * is kept as its text, so that a field which nobody touched is written back as it was read.
 */
import { LosslessNumber, parse, stringify } from 'lossless-json'

export { LosslessNumber }

/** Throws a SyntaxError with the position when the text is not JSON. */
export function parseJson(text: string): unknown {
  return parse(text, null, (number) =>
    String(Number(number)) === number ? Number(number) : new LosslessNumber(number),
  )
}

export function stringifyJson(value: unknown, indent?: number): string {
  return stringify(value, null, indent) ?? 'null'
}
