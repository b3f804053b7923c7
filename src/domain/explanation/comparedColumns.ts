/** The columns of a source whose values are compared. */
import { bodyExpressions, timeExpressions } from '#contract/stack/sourceExpressions.ts'
import type { Source } from '#contract/stack/sources.ts'

/** Whether the values of a column say something about many rows: not times, IDs and the text of the message. */
export function isCompared(source: Source, column: string): boolean {
  // Columns of lists have dots in their names.
  if (!/^[A-Za-z]\w*$/.test(column)) return false
  const bodies = source.kind === 'log' ? bodyExpressions(source) : []
  const isBody = bodies.length > 0 ? bodies.includes(column) : source.kind === 'log' && column === 'Body'
  return !isBody && ![...timeExpressions(source), ...idsOf(source)].includes(column)
}

/** Rows of one trace come together, so that its IDs would differ between any two samples. */
function idsOf(source: Source): unknown[] {
  const { traceIdExpression, spanIdExpression, parentSpanIdExpression } = source
  const usual = ['TraceId', 'SpanId', 'ParentSpanId', 'TraceState']
  return [...usual, traceIdExpression, spanIdExpression, parentSpanIdExpression]
}
