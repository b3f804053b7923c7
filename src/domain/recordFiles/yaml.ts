/** YAML of records: stable, readable in a diff, and without loss. */
import { LosslessNumber } from '#contract/json.ts'
import { Document, isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import { isObject, type JsonObject } from '../json/json.ts'

/** Long texts are folded nowhere: a changed word is one changed line. */
const format = { lineWidth: 0, indentSeq: true } as const

/** @param head a comment in the first line */
export function printYaml(record: JsonObject, head: string): string {
  const document = new Document(forYaml(record), { version: '1.2', aliasDuplicateObjects: false })
  document.commentBefore = ` ${head}`
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && node.value.includes('\n')) node.type = 'BLOCK_LITERAL'
    },
  })
  return document.toString(format)
}

/** Numbers that JavaScript would change become integers of any size. */
function forYaml(value: unknown): unknown {
  if (value instanceof LosslessNumber) return /^-?\d+$/.test(value.value) ? BigInt(value.value) : Number(value.value)
  if (Array.isArray(value)) return value.map(forYaml)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, forYaml(item)]))
}

export interface YamlProblem {
  line: number
  column: number
  message: string
}

/** The library compares each key of a map with all others, which takes minutes for maps of many keys. */
const strict = { intAsBigInt: true, version: '1.2', prettyErrors: false, uniqueKeys: false } as const

/** @returns the record, or what is wrong and where */
export function readYaml(text: string): { record: JsonObject } | { problems: YamlProblem[] } {
  const lines = new LineCounter()
  const document = parseDocument(text, { ...strict, lineCounter: lines })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  if (document.errors.length > 0) {
    return { problems: document.errors.map(({ pos, message }) => ({ ...at(pos[0]), message })) }
  }
  const { contents } = document
  if (!isMap(contents)) return { problems: [{ line: 1, column: 1, message: 'must be the fields of one record' }] }
  const repeated = repeatedKeys(document)
  if (repeated.length > 0) {
    return { problems: repeated.map(({ key, offset }) => ({ ...at(offset), message: `has the field ${key} twice` })) }
  }
  try {
    const value: unknown = fromYaml(document.toJS({ maxAliasCount: 100 }))
    if (isObject(value)) return { record: value }
  } catch (error) {
    // Aliases that stand for far more than the text itself.
    return { problems: [{ line: 1, column: 1, message: error instanceof Error ? error.message : 'cannot be read' }] }
  }
  return { problems: [{ line: 1, column: 1, message: 'must be an object' }] }
}

/** Keys that a map has more than once, with their place in the text. */
function repeatedKeys(document: Document.Parsed): { key: string; offset: number }[] {
  const found: { key: string; offset: number }[] = []
  visit(document, {
    Map(_, { items }: YAMLMap) {
      const seen = new Set<string>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const name = String(key.value)
        if (seen.has(name)) found.push({ key: name, offset: key.range?.[0] ?? 0 })
        seen.add(name)
      }
    },
  })
  return found
}

function fromYaml(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : new LosslessNumber(String(value))
  }
  if (Array.isArray(value)) return value.map(fromYaml)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromYaml(item)]))
}

/** The place of a field in a text, for messages about it. */
export function placeOf(text: string, path: readonly (string | number)[]): { line: number; column: number } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true)
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.range) {
      const { line, col } = lines.linePos(node.range[0])
      return { line, column: col }
    }
  }
  return { line: 1, column: 1 }
}
