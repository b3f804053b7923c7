/** Formats the values of `{name:Type}` placeholders, and of settings. */
import type { ClickHouseSettings } from '@clickhouse/client'

export type ParamValue = string | number | bigint | boolean | readonly (string | number | bigint)[]
export type Params = Readonly<Record<string, ParamValue>>

/**
 * The embedded engine takes parameters as settings of the connection: `SET param_a = '…'; SELECT {a:String}`.
 * (Its own call for parameters runs one query at a time in the whole process.)
 */
export function setParams(params: Params): string {
  return setAll(
    Object.entries(params).map(([name, value]) => `param_${checkedName(name)} = ${textLiteral(paramText(value))}`),
  )
}

/** One statement that sets settings of the connection; empty for none. */
export function setSettings(settings: ClickHouseSettings): string {
  const set = Object.entries(settings).filter(([, value]) => value !== undefined)
  return setAll(set.map(([name, value]) => `${checkedName(name)} = ${textLiteral(String(value))}`))
}

function setAll(assignments: readonly string[]): string {
  return assignments.length === 0 ? '' : `SET ${assignments.join(', ')}; `
}

/** The engine parses a parameter by its declared type, from text that is escaped as in tab-separated values. */
function paramText(value: ParamValue): string {
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'object') return `[${value.map(arrayItem).join(',')}]`
  return String(value)
}

function arrayItem(item: string | number | bigint): string {
  return typeof item !== 'string' ? String(item) : `'${escapeText(item).replaceAll("'", String.raw`\'`)}'`
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' }

function escapeText(text: string): string {
  return text.replaceAll(/[\\\t\n\r\0]/g, (character) => escapes[character] ?? character)
}

/** A string of SQL. Every byte that could mean something is written as its number: nothing in it can end the literal. */
export function textLiteral(text: string): string {
  return `'${text.replaceAll(/[^A-Za-z0-9 _.,:+*%()[\]-]+/g, (part) =>
    [...Buffer.from(part)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  )}'`
}

function checkedName(name: string): string {
  if (!/^[A-Za-z]\w*$/.test(name)) throw new TypeError(`not a name of a parameter or setting: ${name}`)
  return name
}
