/** YAML of records: stable, readable in a diff, and without loss. */
import { LosslessNumber } from '#contract/wire/json.ts'
import {
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'
import type { JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'

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
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, forYaml(item)]))
}

export interface YamlProblem {
  line: number
  column: number
  message: string
}

/** The library compares each key of a map with all others, which takes minutes for maps of many keys. */
const strict = { intAsBigInt: true, version: '1.2', prettyErrors: false, uniqueKeys: false } as const

/** As of JSON from deployments: no reader of a record has to expect more. */
const maxDepth = 100
const tooDeep = `is nested deeper than ${maxDepth} levels`

/** Characters and values of a record, which may be larger than its text because of aliases. */
const maxSize = 2 * 1024 * 1024

/** A record that its text stands for, but that is refused. */
class Refused extends Error {}

/** @returns the record, or what is wrong and where */
export function readYaml(text: string): { record: JsonObject } | { problems: YamlProblem[] } {
  try {
    return readDocument(text)
  } catch (error) {
    return { problems: [{ line: 1, column: 1, message: error instanceof Error ? reasonOf(error) : 'cannot be read' }] }
  }
}

function readDocument(text: string): ReturnType<typeof readYaml> {
  const lines = new LineCounter()
  const document = parseDocument(text, { ...strict, lineCounter: lines })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  if (document.errors.length > 0) {
    return { problems: document.errors.map((error) => ({ ...at(error.pos[0]), message: reasonOf(error) })) }
  }
  const { contents } = document
  if (!isMap(contents)) throw new Refused('must be the fields of one record')
  const repeated = repeatedKeys(document)
  if (repeated.length > 0) {
    return { problems: repeated.map(({ key, offset }) => ({ ...at(offset), message: `has the field ${key} twice` })) }
  }
  const tagged = foreignTags(document)
  if (tagged.length > 0) {
    return { problems: tagged.map(({ tag, offset }) => ({ ...at(offset), message: `has the unknown tag ${tag}` })) }
  }
  // Aliases are refused that stand for far more than the text itself.
  const value = new Values(Math.max(maxSize, 2 * text.length)).of(document.toJS({ maxAliasCount: 100 }))
  if (!isPlainObject(value)) throw new Refused('must be an object')
  return { record: value }
}

/** The library is recursive. It reports some overflows of the stack as errors of the text. */
function reasonOf({ message }: Error): string {
  return message.includes('call stack') ? tooDeep : message
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

/** Tags of what JSON has as well. Without them, the library reads dates, sets and bytes, or ignores the tag. */
const jsonTags = new Set(
  ['map', 'seq', 'str', 'null', 'bool', 'int', 'float'].map((name) => `tag:yaml.org,2002:${name}`).concat('!'),
)

/** Other tags, with their place in the text. */
function foreignTags(document: Document.Parsed): { tag: string; offset: number }[] {
  const found: { tag: string; offset: number }[] = []
  visit(document, {
    Node(_, node) {
      if (!isNode(node) || isAlias(node) || node.tag === undefined || jsonTags.has(node.tag)) return
      found.push({ tag: node.tag.replace('tag:yaml.org,2002:', '!!'), offset: node.range?.[0] ?? 0 })
    },
  })
  return found
}

/** Values as JSON has them. */
class Values {
  #left: number

  constructor(left: number) {
    this.#left = left
  }

  /** @throws Refused for what is too deep or too large */
  of(value: unknown, depth = 0): unknown {
    if (depth > maxDepth) throw new Refused(tooDeep)
    this.#left -= typeof value === 'string' ? value.length + 1 : 1
    if (this.#left < 0) throw new Refused('has aliases that stand for too much: write it out, or use fewer')
    if (typeof value === 'bigint') {
      const number = Number(value)
      return Number.isSafeInteger(number) ? number : new LosslessNumber(String(value))
    }
    if (Array.isArray(value)) return value.map((item) => this.of(item, depth + 1))
    if (!isPlainObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.of(key), this.of(item, depth + 1)]))
  }
}

/** The place of a field in a text, for messages about it. */
export function placeOf(text: string, path: readonly (string | number)[]): { line: number; column: number } {
  const lines = new LineCounter()
  const document = parseDocument(text, { ...strict, lineCounter: lines })
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true)
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.range) {
      const { line, col } = lines.linePos(node.range[0])
      return { line, column: col }
    }
  }
  return { line: 1, column: 1 }
}
