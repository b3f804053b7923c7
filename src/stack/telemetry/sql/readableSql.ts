/** Statements as people read and run them: values in place of parameters, laid out by the engine. */
import { sqlTokens } from '#domain/query/sqlTokens.ts'
import type { Bindings } from '../bindings.ts'
import type { Engine } from '../engine/engine.ts'
import type { ParamValue } from '../engine/params.ts'

/** A statement without parameters, over several lines. Throws EngineError for a statement that the engine cannot parse. */
export async function readableSql(
  engine: Engine,
  sql: string,
  { params }: Bindings,
  signal: AbortSignal,
): Promise<string> {
  const whole = withValues(sql, params)
  const [row] = await engine.query<{ laidOut: string }>('SELECT formatQuery({sql:String}) AS laidOut', {
    params: { sql: whole },
    signal,
  })
  return row?.laidOut ?? whole
}

const moment = /fromUnixTimestamp64Milli\(\{(\w+):Int64\}\)/g
const placeholder = /\{(\w+):([^{}]+)\}/g

/** Outside of quotes and comments, which have none of ours. */
function withValues(sql: string, params: Bindings['params']): string {
  let code = ''
  let written = ''
  const flush = () => {
    written += code
      .replaceAll(moment, (_, name: string) => momentLiteral(Number(params[name])))
      .replaceAll(placeholder, (all, name: string, type: string) => {
        const value = params[name]
        return value === undefined ? all : literal(value, type)
      })
    code = ''
  }
  for (const { kind, text } of sqlTokens(sql)) {
    if (kind === 'text' || kind === 'name' || kind === 'comment') {
      flush()
      written += text
    } else code += text
  }
  flush()
  return written
}

/** @param milliseconds since 1970 */
const momentLiteral = (milliseconds: number): string =>
  `toDateTime64('${new Date(milliseconds).toISOString().slice(0, -1).replace('T', ' ')}', 3, 'UTC')`

function literal(value: ParamValue, type: string): string {
  if (typeof value === 'string') return type === 'String' ? quotedText(value) : `CAST(${quotedText(value)}, '${type}')`
  if (typeof value !== 'object') return String(value)
  return `[${value.map((item) => (typeof item === 'string' ? quotedText(item) : String(item))).join(', ')}]`
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0' }

const quotedText = (text: string): string =>
  `'${text.replaceAll(/[\\'\n\r\t\0]/g, (character) => escapes[character] ?? `\\${character}`)}'`
