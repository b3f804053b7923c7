/**
 * Data pipes that run and carry texts which are made to take all time or memory: in the values and names of their records, in
 * the names and types of columns, in the expressions of tables, and in the patterns of files.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { metricNames } from '../src/contract/cloud/prometheus.ts'
import { intoEvents } from '../src/stack/testing/managedClient.ts'
import type { Product } from './processes/product.ts'
import { productCalls } from './processes/productCalls.ts'

interface PipeBomb {
  name: string
  /** The lines of the file. */
  lines?: readonly string[]
  /** The pattern of the files after their folder. Default: all files with lines of JSON. */
  files?: string
  columns?: readonly { name: string; type: string }[]
  mappings?: readonly { sourceField: string; destinationField: string }[]
  table?: object
}

const long = 200_000
const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'text', type: 'String' },
]
const line = (text: unknown) => JSON.stringify({ id: 1, text })
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
/** A column of each record, as its text says it. */
const of = (type: string) => [
  { name: 'id', type: 'UInt64' },
  { name: 'text', type },
]

const bombs: readonly PipeBomb[] = [
  { name: 'a long value', lines: [line('a'.repeat(20 * long))] },
  { name: 'nested objects', lines: [`{"id":1,"text":${deep(long)}}`], columns: of('JSON') },
  { name: 'nested objects as text', lines: [`{"id":1,"text":${deep(long)}}`] },
  { name: 'nested lists', lines: [`{"id":1,"text":${'['.repeat(long)}${']'.repeat(long)}}`], columns: of('JSON') },
  { name: 'brackets without an end', lines: ['['.repeat(long), '{'.repeat(long), '"'.repeat(long)] },
  {
    name: 'many names',
    lines: [JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`n${at}`, at])))],
    columns: of('JSON'),
  },
  {
    name: 'many names in a column of JSON',
    lines: Array.from({ length: 50 }, (_, at) =>
      line(Object.fromEntries(Array.from({ length: 2000 }, (_entry, n) => [`n${at}-${n}`, n]))),
    ),
    columns: of('JSON'),
  },
  { name: 'huge numbers', lines: ['{"id":1e999999999,"text":1}', `{"id":${'9'.repeat(long)},"text":"x"}`] },
  { name: 'names of the prototype', lines: ['{"id":1,"__proto__":{"text":"x"},"constructor":{"prototype":1}}'] },
  { name: 'half a surrogate pair, and NUL', lines: [String.raw`{"id":1,"text":"\ud800\u0000"}`] },
  { name: 'dates', lines: [line('9'.repeat(1000)), line('2026-'.repeat(1000))], columns: of('DateTime64(9)') },
  { name: 'a list of a million', lines: [`{"id":1,"text":[${'1,'.repeat(1_000_000)}1]}`], columns: of('Array(UInt8)') },
  { name: 'many bad lines', lines: Array.from({ length: 100_000 }, (_, at) => `{"id":"no ${at}"}`) },
  { name: 'nested types', lines: [line([])], columns: of(`${'Array('.repeat(500)}String${')'.repeat(500)}`) },
  {
    name: 'a tuple of many',
    lines: [line([1])],
    columns: of(`Tuple(${Array.from({ length: 150 }, (_, at) => `a${at} Array(String)`).join(', ')})`),
  },
  {
    name: 'a long path',
    lines: [`{"id":1,"text":${deep(5000)}}`],
    mappings: [
      { sourceField: 'id', destinationField: 'id' },
      { sourceField: `text${'.a'.repeat(120)}`, destinationField: 'text' },
    ],
  },
  {
    name: 'many columns',
    lines: [line('x')],
    columns: Array.from({ length: 5000 }, (_, at) => ({ name: `column_${at}`, type: 'Nullable(String)' })),
  },
  { name: 'an order by a long sum', lines: [line('x')], table: { primaryKey: 'id+'.repeat(300) + 'id' } },
  { name: 'a regular expression', lines: [line('a'.repeat(long))], table: { partitionBy: `match(text, '(a+)+$')` } },
  { name: 'a repetition', lines: [line('x'.repeat(long))], table: { partitionBy: `length(repeat(text, 10000))` } },
  { name: 'many files', lines: [line('x')], files: '{1..999999999}.jsonl' },
  { name: 'alternatives', lines: [line('x')], files: `${'{a,b}'.repeat(40)}*.jsonl` },
  { name: 'asterisks', lines: [line('x')], files: `${'*a'.repeat(200)}*.jsonl` },
  { name: 'folders', lines: [line('x')], files: `${'**/'.repeat(60)}*.jsonl` },
]

/** Milliseconds for all pipes to load or refuse their files. */
const loadTime = 180_000

/** @param at names what is being done. @returns what the pipes did not do */
export async function pipeBombs(product: Product, at: (what: string) => void): Promise<string[]> {
  const { credentials, dataDir } = product
  const { organization, managed } = productCalls(product)
  const service = `/services/${credentials.serviceId}`
  const ids = new Map<string, string>()
  let last = ''
  const statuses = new Map<number, number>()
  for (const [number, bomb] of bombs.entries()) {
    const { status, json } = await create(number, bomb)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status >= 300) console.log(`a pipe with ${bomb.name}: ${status} ${JSON.stringify(json).slice(0, 160)}`)
    else ids.set(bomb.name, json.result.id)
  }

  async function create(number: number, bomb: PipeBomb) {
    at(`a pipe with ${bomb.name}`)
    const folder = join(dataDir, 'files', `bombs-${number}`)
    mkdirSync(folder, { recursive: true })
    if (bomb.lines) writeFileSync(join(folder, '1.jsonl'), `${bomb.lines.join('\n')}\n`)
    const into = intoEvents(bomb.columns ?? columns)
    const { tableDefinition } = into.destination
    return organization('POST', `${service}/datapipes`, {
      name: `Bomb ${number}`,
      source: {
        objectStorage: {
          type: 'file',
          format: 'JSONEachRow',
          url: join(folder, bomb.files ?? '*.jsonl'),
          compression: 'auto',
          isContinuous: true,
        },
      },
      destination: {
        ...into.destination,
        table: `bombs_${number}`,
        tableDefinition: { ...tableDefinition, ...bomb.table },
      },
      fieldMappings: bomb.mappings ?? into.fieldMappings,
    })
  }

  at('pipes with bombs that run')
  const statesOf = async (): Promise<Record<string, string>> => {
    const pipes: { id: string; state: string }[] = await managed('GET', `${service}/datapipes`)
    const states = pipes.filter(({ id }) => [...ids.values()].includes(id)).map(({ id, state }) => [id, state])
    return Object.fromEntries(states)
  }
  await sleep(loadTime)
  const states = await statesOf()
  const counts = await countsOf()
  for (const [name, id] of ids) {
    const { sent = 0, errors = 0 } = counts.get(id) ?? {}
    console.log(`a pipe with ${name}: ${states[id]}, ${sent} records, ${errors} errors`)
  }
  const created = [...statuses].map(([status, n]) => `${n} × ${status}`).join(', ')
  const worked = [...ids.values()].filter((id) => counts.has(id)).length
  console.log(`${bombs.length} pipes with bombs: ${created}; ${worked} of them loaded or refused records`)
  if (worked === 0) return ['no pipe with bombs has worked']

  // Leftovers of the bombs must not keep another pipe from loading.
  at('a pipe after the bombs')
  const { status, json } = await create(bombs.length, { name: 'ordinary records', lines: [line('x'), line('y')] })
  if (status >= 300) return [`a pipe after the bombs: ${status} ${JSON.stringify(json)}`]
  last = json.result.id
  for (let second = 0; second < 120; second++) {
    await sleep(1000)
    if ((await countsOf()).get(last)?.sent === 2) return []
  }
  return ['a pipe after the bombs loaded nothing']

  /** The records and errors of each pipe that has any, by its ID. */
  async function countsOf(): Promise<Map<string, { sent: number; errors: number }>> {
    const { json: text } = await organization('GET', `${service}/prometheus`)
    const found = new Map<string, { sent: number; errors: number }>()
    for (const [, name, labels = '', value] of String(text).matchAll(/^(\w+)\{([^}]*)\} (\S+)/gm)) {
      const id = [...ids.values(), last].find((pipeId) => labels.includes(`"${pipeId}"`))
      const field = name === metricNames.sentEvents ? 'sent' : name === metricNames.errors ? 'errors' : undefined
      if (id === undefined || field === undefined || Number(value) === 0) continue
      const counts = found.get(id) ?? { sent: 0, errors: 0 }
      counts[field] += Number(value)
      found.set(id, counts)
    }
    return found
  }
}
