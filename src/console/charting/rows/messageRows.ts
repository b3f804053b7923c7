/** The rows that patterns of messages are found in. */
import type { Source } from '#contract/stack/sources.ts'
import { bodyFields, severityField, text, type ResultColumn } from './columns.ts'

/** Messages that are compared. */
export const maxMessages = 1000

/** The message, which is the text of a log record or the name of a span, and its severity. */
export function messageColumns(source: Source): [ResultColumn, ResultColumn] {
  const [body] = bodyFields(source)
  const expression = source.kind === 'trace' ? (text(source, 'spanNameExpression') ?? 'SpanName') : body
  return [
    { expression, wide: true },
    { expression: severityField(source), wide: false, role: 'severity' },
  ]
}
