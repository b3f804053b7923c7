/** Looks for the first value of a record that its column cannot have. Numbers keep all of their digits. */
import { plainType, type ColumnType } from './columnType.ts'
import { scalarProblem } from './scalarProblem.ts'
import type { Scalar } from './scalar.ts'

/** The columns of each field. */
export type FieldTypes = ReadonlyMap<string, readonly ColumnType[]>

const shownCharacters = 100

/** A field whose column is a part of a Nested one: `items.price` of `items`. */
const nestedName = /^(.+?)\.[^.]+$/s

/** The columns of each Nested one, which have as many values each. */
function nestedGroups(fields: FieldTypes): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [name, types] of fields) {
    const group = nestedName.exec(name)?.[1]
    if (group !== undefined && types.some((type) => type.name === 'Array')) {
      groups.set(group, [...(groups.get(group) ?? []), name])
    }
  }
  return groups
}

/** The check of a record: a JSON object to the reason with the field and the value; null if nothing certain is wrong. */
export function recordCheck(fields: FieldTypes): (json: string) => string | null {
  const groups = nestedGroups(fields)
  return (json) => recordProblem(json, fields, groups)
}

function recordProblem(
  json: string,
  fields: FieldTypes,
  groups: ReadonlyMap<string, readonly string[]>,
): string | null {
  const reader = new JsonReader(json)
  const lengths = new Map<string, number>()
  const problem = reader.members((name) => {
    const types = fields.get(name)
    if (!types) return reader.skip()
    const from = reader.at
    for (const type of types) {
      reader.at = from
      const problem = valueProblem(reader, type, name)
      if (problem !== null) return problem
      if (type.name === 'Array') lengths.set(name, reader.lastLength)
    }
    return null
  })
  if (problem !== null) return problem
  for (const [group, names] of groups) {
    const sizes = new Set(names.map((name) => lengths.get(name) ?? 0))
    if (sizes.size > 1) return `${group}: its parts have ${[...sizes].join(' and ')} values`
  }
  return null
}

/** Reads a value. @param path of the field, for the reason */
function valueProblem(reader: JsonReader, declared: ColumnType, path: string): string | null {
  const { type } = plainType(declared)
  const first = reader.peek()
  const [firstPart, secondPart] = type.parts
  if (type.name === 'Array' && firstPart) {
    if (first === '[') return reader.elements((at) => valueProblem(reader, firstPart.type, `${path}[${at}]`))
    return first === 'n' ? reader.skip() : problemWith(path, reader.raw(), `is not an array, which ${type.name} needs`)
  }
  if (type.name === 'Map' && firstPart && secondPart && first === '{') {
    return reader.members((key) => {
      const problem = scalarProblem(plainType(firstPart.type).type, { kind: 'text', text: key })
      if (problem !== null && isWhole(firstPart.type)) return problemWith(`the key of ${path}`, key, problem)
      return valueProblem(reader, secondPart.type, `${path}.${key}`)
    })
  }
  if (type.name === 'Tuple' && first === '{') {
    return reader.members((key) => {
      const part = type.parts.find(({ name }) => name === key)
      return part ? valueProblem(reader, part.type, `${path}.${key}`) : reader.skip()
    })
  }
  if (type.name === 'Tuple' && first === '[') {
    return reader.elements((at) => {
      const part = type.parts[at]
      return part ? valueProblem(reader, part.type, `${path}[${at}]`) : reader.skip()
    })
  }
  if (first === '{' || first === '[' || type.parts.length > 0) return reader.skip()
  const scalar = reader.scalar()
  const problem = scalarProblem(type, scalar)
  return problem === null ? null : problemWith(path, scalar.text, problem)
}

const isWhole = (type: ColumnType) => /^U?Int/.test(plainType(type).type.name)

function problemWith(path: string, value: string, problem: string): string {
  const shown = value.length > shownCharacters ? `${value.slice(0, shownCharacters)}…` : value
  return `${path}: ${shown} ${problem}`
}

/** A position in a text that is known to be JSON. */
class JsonReader {
  at = 0
  /** How many elements the last array had that was read. */
  lastLength = 0
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The next character that is no space. */
  peek(): string {
    while (isSpace(this.text.charCodeAt(this.at))) this.at++
    return this.text[this.at] ?? ''
  }

  /** Reads an object. @param each reads the value of a name. What is not null ends it */
  members(each: (name: string) => string | null): string | null {
    return this.#list('}', () => {
      this.peek()
      const name = this.#string()
      this.peek()
      this.at++
      return each(name)
    })
  }

  /** Reads an array, like `members`. */
  elements(each: (at: number) => string | null): string | null {
    let count = 0
    const found = this.#list(']', () => each(count++))
    this.lastLength = count
    return found
  }

  scalar(): Scalar {
    const first = this.peek()
    if (first === '"') return { kind: 'text', text: this.#string() }
    const from = this.at
    while (this.at < this.text.length && !/[\s,\]}]/.test(this.text[this.at] ?? '')) this.at++
    const text = this.text.slice(from, this.at)
    return { kind: /^[-\d]/.test(text) ? 'number' : 'word', text }
  }

  /** Passes over a value. */
  skip(): null {
    const first = this.peek()
    if (first === '{') this.members(() => this.skip())
    else if (first === '[') this.elements(() => this.skip())
    else this.scalar()
    return null
  }

  /** The text of a value. */
  raw(): string {
    this.peek()
    const from = this.at
    this.skip()
    return this.text.slice(from, this.at)
  }

  #list(close: string, item: () => string | null): string | null {
    this.peek()
    this.at++
    while (this.peek() !== close && this.at < this.text.length) {
      const found = item()
      if (found !== null) return found
      if (this.peek() === ',') this.at++
    }
    this.at++
    return null
  }

  #string(): string {
    const from = this.at++
    let isPlain = true
    for (let code = this.text.charCodeAt(this.at); code !== 34 && this.at < this.text.length;) {
      if (code === 92) {
        isPlain = false
        this.at++
      }
      code = this.text.charCodeAt(++this.at)
    }
    this.at++
    const literal = this.text.slice(from, this.at)
    return isPlain ? literal.slice(1, -1) : String(JSON.parse(literal))
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
