/** Terraform's language: values, attributes and blocks as text, laid out as `terraform fmt` does. */
import { isLosslessNumber, type LosslessNumber } from 'lossless-json'

/** A reference or a call, written as it is. */
export class Expression {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A call of a function, such as `jsonencode({…})`. */
export class Call {
  readonly parameters: readonly HclValue[]
  readonly name: string

  constructor(name: string, ...parameters: HclValue[]) {
    this.name = name
    this.parameters = parameters
  }
}

export type HclValue =
  | string
  | number
  | boolean
  | null
  | LosslessNumber
  | Expression
  | Call
  | readonly HclValue[]
  | { readonly [key: string]: HclValue }

export type Attribute = readonly [name: string, value: HclValue]

export interface Block {
  type: string
  labels: readonly string[]
  attributes: readonly (Attribute | Block)[]
}

/** A block, such as `resource "type" "name" { … }`, without a line break at its end. */
export function blockText(block: Block): string {
  return blockLines(block, '').join('\n')
}

/** Each line of the text as a comment. */
export function commentText(text: string): string {
  return `# ${text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')}`
}

/** A value as an expression of the language. */
export function valueText(value: HclValue): string {
  return expression(value, '')
}

function blockLines({ type, labels, attributes }: Block, indent: string): string[] {
  const head = [`${indent}${type}`, ...labels.map((label) => quoted(label)), '{'].join(' ')
  if (attributes.length === 0) return [`${head}}`]
  return [head, ...bodyLines(attributes, indent + step), `${indent}}`]
}

function bodyLines(entries: readonly (Attribute | Block)[], indent: string): string[] {
  const lines: string[] = []
  let attributes: Attribute[] = []
  const flush = () => {
    lines.push(...attributeLines(attributes, indent))
    attributes = []
  }
  for (const entry of entries) {
    if (!('type' in entry)) attributes.push(entry)
    else {
      flush()
      if (lines.length > 0) lines.push('')
      lines.push(...blockLines(entry, indent))
    }
  }
  flush()
  return lines
}

const step = '  '

/** The equals signs of attributes on consecutive single lines are below each other. */
function attributeLines(attributes: readonly Attribute[], indent: string): string[] {
  const lines: string[] = []
  let group: [key: string, text: string][] = []
  const flush = () => {
    const width = Math.max(...group.map(([key]) => lengthOf(key)))
    for (const [key, text] of group) lines.push(`${indent}${key}${' '.repeat(width - lengthOf(key))} = ${text}`)
    group = []
  }
  for (const [name, value] of attributes) {
    const [key, text] = [keyText(name), expression(value, indent)]
    if (!text.includes('\n')) group.push([key, text])
    else {
      flush()
      lines.push(`${indent}${key} = ${text}`)
    }
  }
  flush()
  return lines
}

/** The length in characters, not in units of UTF-16. */
const lengthOf = (text: string) => [...text].length

function expression(value: HclValue, indent: string): string {
  if (value instanceof Expression) return value.text
  if (value instanceof Call) {
    return `${value.name}(${value.parameters.map((parameter) => expression(parameter, indent)).join(', ')})`
  }
  if (typeof value === 'string') return quoted(value)
  if (value === null || typeof value !== 'object') return String(value)
  if (isLosslessNumber(value)) return value.value
  if (isList(value)) return listText(value, indent)
  const entries = Object.entries(value)
  return entries.length === 0 ? '{}' : ['{', ...attributeLines(entries, indent + step), `${indent}}`].join('\n')
}

// `Array.isArray` does not narrow readonly arrays.
const isList = (value: object): value is readonly HclValue[] => Array.isArray(value)

const longestLine = 100

function listText(items: readonly HclValue[], indent: string): string {
  const texts = items.map((item) => expression(item, indent + step))
  const line = `[${texts.join(', ')}]`
  const isShort = line.length <= longestLine && !items.some((item) => isCollection(item))
  return isShort ? line : ['[', ...texts.map((text) => `${indent}${step}${text},`), `${indent}]`].join('\n')
}

function isCollection(value: HclValue): boolean {
  return value !== null && typeof value === 'object' && !(value instanceof Expression) && !isLosslessNumber(value)
}

/** Names that mean something else at the beginning of an object's entry. */
const reserved = new Set(['for', 'null', 'true', 'false'])

function keyText(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) && !reserved.has(key) ? key : quoted(key)
}

const escapes: Readonly<Record<string, string>> = {
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

/** Characters that a text cannot have as they are. A template begins with `${` or `%{`, unless its first character is doubled. */
const special = /["\\\p{Cc}\p{Zl}\p{Zp}\u{FEFF}]|[$%](?=\{)/gu

/** A text in quotes. Halves of a character, which neither JSON nor Terraform can send, become its replacement. */
function quoted(text: string): string {
  return `"${text.toWellFormed().replace(special, (character) => escapes[character] ?? escaped(character))}"`
}

function escaped(character: string): string {
  if (character === '$' || character === '%') return character + character
  return String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0')
}
