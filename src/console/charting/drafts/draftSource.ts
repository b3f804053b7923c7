/**
 * The table, time and fields of a source in SQL that the console writes itself, for deployments that do not tell theirs. What could
 * find other rows than the deployment does is refused, and never guessed.
 */
import { timeExpressions } from '#contract/stack/sourceExpressions.ts'
import type { Source } from '#contract/stack/sources.ts'
import { fieldOf } from '#domain/query/fieldNames.ts'
import { isOneExpression } from '#domain/query/sqlParts.ts'
import { sqlValues } from '#domain/query/sqlValues.ts'
import { fieldsOf } from '../fields.ts'

/** A statement, or a sentence that says why there is none. */
export type Draft = string | { problem: string }

/** Something cannot be written. The message is a sentence that says why. */
export class NoDraft extends Error {
  override readonly name = 'NoDraft'
}

export function draftOf(write: () => string): Draft {
  try {
    return write()
  } catch (error) {
    if (error instanceof NoDraft) return { problem: error.message }
    throw error
  }
}

/** The first line of each draft: it goes with the statement wherever it is copied to. */
export const draftMark = '-- Draft: written by the console; the deployment’s own statement may differ.'

/** A value of a row. `other`: nothing is known of its type. */
export interface DraftValue {
  sql: string
  kind: 'text' | 'number' | 'other'
}

/** The table of a source. @throws NoDraft for metrics, and for a source without one */
export function tableOf({ name, kind, from }: Source): string {
  if (kind === 'metric') {
    throw new NoDraft(
      'Metrics are combined by time series before they are drawn, in ways that a plain SELECT over their points does not repeat.',
    )
  }
  if ((kind !== 'log' && kind !== 'trace') || !from?.tableName) {
    throw new NoDraft(`The source ${name} names no table of logs or traces.`)
  }
  return [from.databaseName, from.tableName].filter(Boolean).map(quotedName).join('.')
}

/** The time of a row. @throws NoDraft if several are named, and none of them is known to be the exact one */
export function timeOf(source: Source): string {
  const times = timeExpressions(source)
  const time = times.length > 1 ? times.find((candidate) => candidate === 'Timestamp') : times[0]
  if (time !== undefined) return oneExpression(time)
  throw new NoDraft(`The source ${source.name} has several times, of which the console does not know the exact one.`)
}

/**
 * A column, the key of a map, or an expression as it is written.
 * @throws NoDraft for what is more than one expression, a map without a key, and a path in a column that is not known
 */
export function valueOf(expression: string, source: Source): DraftValue {
  const text = expression.trim()
  const known = fieldsOf(source)
  const column = known.find(({ name }) => name === text)
  if (column?.kind === 'map') throw new NoDraft(`${text} is a map: name one of its keys, as in ${text}['key'].`)
  if (column) return { sql: text, kind: column.kind }
  const field = fieldOf(text)
  const map = known.find(({ name, kind }) => kind === 'map' && field?.startsWith(`${name}.`))
  if (map && field !== null) {
    return { sql: `${map.name}[${sqlValues([field.slice(map.name.length + 1)])}]`, kind: 'text' }
  }
  if (text === field && text.includes('.')) throw new NoDraft(`The console does not know the column of ${text}.`)
  return { sql: oneExpression(text), kind: 'other' }
}

/** An expression as it is written. @throws NoDraft for one that could change what stands beside it */
export function oneExpression(written: string): string {
  const expression = written.trim()
  if (isOneExpression(expression)) return expression
  throw new NoDraft(`This is more than one expression in SQL: ${expression}`)
}

/** A moment in milliseconds since 1970, the same in every time zone of a server. */
export const momentSql = (milliseconds: number): string =>
  `toDateTime64('${new Date(milliseconds).toISOString().slice(0, -1).replace('T', ' ')}', 3, 'UTC')`

/** A name between backticks, where it needs them. */
export const quotedName = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``
