/**
 * Checks a SELECT that goes to the SQL tool of a deployment. The tool runs statements with the rights of the deployment's own user of its
 * database, and a read-only session stops no function that reads files or addresses. No engine parses them here, so that the
 * check knows words and places only, and rather refuses too much.
 */
import { sqlTokens, type SqlToken } from '#domain/query/sqlTokens.ts'

/** Characters outside of texts and names. No statement end, placeholder, macro or variable has only these. */
const plain = /^[\w\s.,()[\]+\-*/%=<>!?:|]*$/

/** Macros and variables. The tool replaces them within quotes, too, where their arguments may end the quotes. */
const replaced = /\$(?:[A-Za-z_]\w*|\{)/

/** Words that change how a statement runs, or where its result goes. */
const refusedKeywords = /^(?:settings|outfile|format|explain|into)$/i

/** Words behind which a table is named, and those that end a list of tables. */
const endsTables = /^(?:where|prewhere|group|order|having|limit|union|except|intersect|window|qualify|select)$/i

/** Functions that read files, addresses, other servers, dictionaries and tables, in place of a table or of a value. */
const reaching = [
  /^(?:s3|gcs|oss|cosn|url|file|hdfs|azureblobstorage|hive|deltalake|iceberg|hudi|paimon|ytsaurus|arrowflight)(?:cluster|local|s3|azure|hdfs)*$/,
  /^(?:remote|remotesecure|cluster|clusterallreplicas|mysql|postgresql|mongodb|redis|sqlite|jdbc|odbc|executable|input)$/,
  /^(?:dict\w*|joinget\w*|merge\w*|loop|view\w*|prometheusquery\w*|timeseries\w*|catboostevaluate|addressto\w*|filesystem\w*)$/,
  // Older engines ask another server, if the first arguments name one.
  /^hascolumnintable$/,
]

/** Functions in place of a value, whose names may also be passed to a function that takes another. */
const reachingValue = /^(?:file|dict\w*|joinget\w*|catboostevaluate|addressto\w*|filesystem\w*)$/
const takesFunction = /^(?:apply|array\w*|map\w*)$/i

/** Tables of the engine about itself that say nothing about what is stored, nor about who uses it. */
const readableSystemTables: readonly string[] = ['one', 'numbers', 'functions', 'time_zones']
const ofEngine = /^(?:system|information_schema)$/i

/** Why a statement cannot be sent, with the place in it; null if it can. @param select without comments and statement end */
export function statementProblem(select: string): string | null {
  const tokens = withPlaces(sqlTokens(select)).filter(({ kind }) => kind !== 'space')
  const first = tokens.find(({ text }) => text !== '(')
  if (!first || !/^(?:select|with)$/i.test(first.text)) return 'only SELECT is allowed'
  return textProblem(tokens) ?? bracketProblem(tokens) ?? wordProblem(tokens) ?? tableProblem(tokens)
}

interface Placed extends SqlToken {
  /** From 1. */
  at: number
}

function withPlaces(tokens: readonly SqlToken[]): Placed[] {
  let at = 1
  return tokens.map((token) => {
    const start = at
    at += token.text.length
    return { ...token, at: start }
  })
}

function textProblem(tokens: readonly Placed[]): string | null {
  for (const [index, { kind, text, at }] of tokens.entries()) {
    const isQuoted = kind === 'text' || kind === 'name'
    if (isQuoted && (text.length < 2 || text.at(-1) !== text[0])) return `the quote is not closed (at ${at})`
    // Another engine may read an escape otherwise.
    if (kind === 'name' && /[\\\p{Cc}]/u.test(text)) return `a quoted name has an escape (at ${at})`
    const macro = replaced.exec(text)?.[0]
    if (isQuoted && macro) return `"${macro}" is not allowed, not even in quotes (at ${at})`
    if (!isQuoted && !plain.test(text)) return `"${text.slice(0, 10)}" is not allowed (at ${at})`
    if (text === '|' && !isConcatenation(tokens, index)) return `"|" is not allowed (at ${at})`
  }
  return null
}

/** Whether a `|` is half of `||`. By itself it composes functions in newer engines, which may be named without a call. */
function isConcatenation(tokens: readonly Placed[], index: number): boolean {
  const at = tokens[index]?.at ?? 0
  return [tokens[index - 1], tokens[index + 1]].some((other) => other?.text === '|' && Math.abs(other.at - at) === 1)
}

function bracketProblem(tokens: readonly Placed[]): string | null {
  const closing: Record<string, string> = { '(': ')', '[': ']' }
  const open: Placed[] = []
  for (const token of tokens) {
    if (token.kind !== 'sign') continue
    if (closing[token.text]) open.push(token)
    else if (/[)\]]/.test(token.text) && closing[open.pop()?.text ?? ''] !== token.text) {
      return `"${token.text}" has no opening bracket (at ${token.at})`
    }
  }
  const unclosed = open.pop()
  return unclosed ? `"${unclosed.text}" is not closed (at ${unclosed.at})` : null
}

function wordProblem(tokens: readonly Placed[]): string | null {
  for (const [index, { kind, text, at }] of tokens.entries()) {
    const isCall = tokens[index + 1]?.text === '('
    const isPart = tokens[index - 1]?.text === '.'
    if (kind === 'word' && !isCall && !isPart && refusedKeywords.test(text)) {
      return `${text.toUpperCase()} is not allowed (at ${at})`
    }
    const name = nameOf(tokens[index])
    if (name === undefined) continue
    if (isCall && reaching.some((pattern) => pattern.test(name.toLowerCase()))) {
      return `the function ${name} is not allowed (at ${at})`
    }
    if (!isCall && reachingValue.test(name.toLowerCase()) && isPassed(tokens, index)) {
      return `the function ${name} is not allowed (at ${at})`
    }
    const table = tokens[index + 1]?.text === '.' ? nameOf(tokens[index + 2]) : undefined
    if (!isPart && ofEngine.test(name) && table !== undefined && !readableSystemTables.includes(table)) {
      return `the table ${name}.${table} is not allowed (at ${at})`
    }
    if (/^in$/i.test(text) && kind === 'word' && nameOf(tokens[index + 1]) !== undefined) {
      return `IN needs a list or a subquery on its right (at ${at})`
    }
  }
  return null
}

/** Whether a name is the first thing in the brackets of `APPLY`, or of a function that may take a function and gets more than this. */
function isPassed(tokens: readonly Placed[], index: number): boolean {
  let before = index - 1
  while (tokens[before]?.text === '(') before -= 1
  const taker = nameOf(tokens[before])
  if (taker === undefined || !takesFunction.test(taker)) return false
  const isLambda = tokens[index + 1]?.text === '-' && tokens[index + 2]?.text === '>'
  const isAlone = index - before === 2 && tokens[index + 1]?.text === ')'
  return !isLambda && (!isAlone || /^apply$/i.test(taker))
}

/** Functions in place of a table, by the place alone: those of newer engines are not known. */
function tableProblem(tokens: readonly Placed[]): string | null {
  const lists = [false]
  for (const [index, { kind, text }] of tokens.entries()) {
    if (text === '(') lists.push(false)
    else if (text === ')') lists.pop()
    if (kind === 'word' && endsTables.test(text)) lists[lists.length - 1] = false
    const isArrayJoin = /^join$/i.test(text) && /^array$/i.test(tokens[index - 1]?.text ?? '')
    if (kind === 'word' && isArrayJoin) lists[lists.length - 1] = false
    const begins = kind === 'word' && /^(?:from|join)$/i.test(text) && !isArrayJoin
    if (begins) lists[lists.length - 1] = true
    if (!begins && !(text === ',' && lists.at(-1))) continue
    const call = calledAt(tokens, index + 1)
    if (call) return `the table function ${call.text} is not allowed: read a table (at ${call.at})`
  }
  return null
}

/** The function that a chain of names at a place calls, if it does. */
function calledAt(tokens: readonly Placed[], start: number): Placed | undefined {
  let at = start
  while (nameOf(tokens[at]) !== undefined && tokens[at + 1]?.text === '.') at += 2
  return nameOf(tokens[at]) !== undefined && tokens[at + 1]?.text === '(' ? tokens[at] : undefined
}

/** The name that a token is, without its quotes. */
function nameOf(token: SqlToken | undefined): string | undefined {
  if (token?.kind === 'word') return token.text
  return token?.kind === 'name' ? token.text.slice(1, -1) : undefined
}
