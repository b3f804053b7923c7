/**
 * Replaces macros, parameters and variables of a statement in one pass from left to right: what was put in is never read
 * again, so that a value has no effect but its own. Comments stay as they are.
 */
import { readList } from '#contract/stack/expressionLists.ts'
import { isOneExpression } from './sqlParts.ts'
import { sqlTokens } from './sqlTokens.ts'

/** A text uses macros or variables in a way that cannot be replaced. The message is for users. */
export class VariableError extends Error {
  override readonly name = 'VariableError'
}

/** Between other code, or within the quotes of a text. */
type FillPlace = 'code' | 'quotes'

export interface MacroCall {
  name: string
  /** As they are written, each a whole expression; none without parentheses, and within quotes. */
  parts: readonly string[]
  place: FillPlace
  /** Replaces what is in an argument. */
  fill: (part: string) => string
}

/** The replacements of what is found; undefined leaves it as it is. They throw VariableError. */
export interface SqlRules {
  macro?: (call: MacroCall) => string | undefined
  /** `{name:Type}`, in code alone. */
  parameter?: (name: string) => string
  variable?: (name: string, format: string | undefined, place: FillPlace) => string | undefined
}

/** Characters of a statement with all that is put in. */
export const maxFilledSql = 100_000
/** Macros within arguments of macros. */
const maxNesting = 8

const macroAt = /\$__(\w+)/y
const variableAt = /\$\{(\w+)(?::(\w+))?\}|\$([A-Za-z]\w*)/y
const parameterAt = /\{\s*(\w+)\s*:\s*\w+\s*\}/y
const inQuotes = /\$__(\w+)|\$\{(\w+)(?::(\w+))?\}|\$([A-Za-z]\w*)/g
const openingAt = /\s*\(/y

/** Macros whose arguments may stand behind a space. */
const spaced: readonly string[] = ['filter', 'conditionalAll']

/** @throws VariableError */
export function fillSql(text: string, rules: SqlRules, depth = 0): string {
  if (depth > maxNesting) throw new VariableError(`Macros of the SQL are nested more than ${maxNesting} times.`)
  let filled = ''
  let end = 0
  let done = 0
  const add = (part: string) => {
    filled += part
    if (filled.length > maxFilledSql) throw tooLong()
  }
  for (const { kind, text: token } of sqlTokens(text)) {
    const start = end
    end += token.length
    // Arguments of a macro are passed over. A word may go on behind a variable: `$a$b`.
    for (let at = Math.max(start, done); at < end; at = done) {
      if (at > start && kind !== 'word') throw new VariableError(`A macro of the SQL ends within ${token}`)
      const found = kind === 'sign' || at > start ? replacementAt(text, at, rules, depth) : undefined
      done = found?.end ?? (at > start ? nextSign(text, at + 1, end) : end)
      if (found) add(withSpaces(found.text, text[at - 1], text[found.end]))
      else add(isQuoted(kind) ? fillQuoted(token, rules) : text.slice(at, done))
    }
  }
  return filled
}

const tooLong = () =>
  new VariableError(
    `With its filters, the SQL has more than ${maxFilledSql.toLocaleString('en')} characters: choose fewer values.`,
  )

function nextSign(text: string, from: number, end: number): number {
  const at = text.indexOf('$', from)
  return at < 0 || at > end ? end : at
}

/** Keeps a replacement apart from its neighbors: two texts side by side would be one, as would a word and a number. */
function withSpaces(part: string, before = ' ', after = ' '): string {
  const goesOn = /['"`\w$.]/
  return `${goesOn.test(before) ? ' ' : ''}${part}${goesOn.test(after) ? ' ' : ''}`
}

const isQuoted = (kind: string): boolean => kind === 'text' || kind === 'name'

interface Replacement {
  text: string
  /** Where the text goes on. */
  end: number
}

/** The replacement of a macro, variable or parameter that begins at a place. */
function replacementAt(text: string, start: number, rules: SqlRules, depth: number): Replacement | undefined {
  const sign = text[start]
  if (sign === '{' && rules.parameter) {
    const [spelled, name = ''] = matchAt(parameterAt, text, start) ?? []
    return spelled === undefined ? undefined : { text: rules.parameter(name), end: start + spelled.length }
  }
  if (sign !== '$') return undefined
  const [macro, name = ''] = matchAt(macroAt, text, start) ?? []
  if (macro !== undefined) return macroReplacement(text, { name, end: start + macro.length }, rules, depth)
  const [spelled, braced, format, plain = ''] = matchAt(variableAt, text, start) ?? []
  if (spelled === undefined) return undefined
  const value = rules.variable?.(braced ?? plain, format, 'code')
  return value === undefined ? undefined : { text: value, end: start + spelled.length }
}

function macroReplacement(
  text: string,
  { name, end }: { name: string; end: number },
  rules: SqlRules,
  depth: number,
): Replacement | undefined {
  const opening = spaced.includes(name) ? matchAt(openingAt, text, end)?.[0] : text[end] === '(' ? '(' : undefined
  const list = opening === undefined ? undefined : readList(text, end + opening.length, ')')
  const fill = (part: string) => fillSql(part, rules, depth + 1)
  const value = rules.macro?.({ name, parts: list?.parts ?? [], place: 'code', fill })
  if (value === undefined) return undefined
  if (list && list.end < 0) throw new VariableError(`The macro $__${name} of the SQL has no closing bracket.`)
  const broken = list?.parts.find((part) => !isOneExpression(part))
  if (broken !== undefined) {
    throw new VariableError(`An argument of the macro $__${name} of the SQL is not one expression: ${broken}`)
  }
  return { text: value, end: list ? list.end + 1 : end }
}

function matchAt(pattern: RegExp, text: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = start
  return pattern.exec(text)
}

/** Replaces within quotes, without a character that ends them. */
function fillQuoted(text: string, rules: SqlRules): string {
  let added = 0
  return text.replaceAll(inQuotes, (spelled, name?: string, braced?: string, format?: string, plain?: string) => {
    const value =
      name === undefined
        ? rules.variable?.(braced ?? plain ?? '', format, 'quotes')
        : rules.macro?.({ name, parts: [], place: 'quotes', fill: (part) => part })
    if (value !== undefined && /['"`\\]/.test(value)) throw new VariableError(`${spelled} cannot be in quotes.`)
    added += value?.length ?? 0
    if (added > maxFilledSql) throw tooLong()
    return value ?? spelled
  })
}
