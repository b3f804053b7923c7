/** Expressions of a source that deployments read as lists: `EventDate, EventTime`, `Body, ServiceName`. */
import { splitExpressions } from './expressionLists.ts'
import type { Source } from './sources.ts'

type Named = Pick<Source, 'timestampValueExpression' | 'implicitColumnExpression' | 'bodyExpression'>

/** The times of a row, at least one: a date beside the time itself lets the engine skip partitions. */
export function timeExpressions({ timestampValueExpression = '' }: Named, fallback = 'Timestamp'): string[] {
  const listed = splitExpressions(timestampValueExpression)
  return listed.length > 0 ? listed : [fallback]
}

/** Where text without a field is searched, in any of them; none if the source has no such column. */
export function searchedExpressions({ implicitColumnExpression, bodyExpression }: Named): string[] {
  return splitExpressions(implicitColumnExpression || bodyExpression || '')
}

/** The columns with the text of a record; none if the source names none. */
export function bodyExpressions({ bodyExpression, implicitColumnExpression }: Named): string[] {
  return splitExpressions(bodyExpression || implicitColumnExpression || '')
}
