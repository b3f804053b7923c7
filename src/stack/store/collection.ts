/** Documents of one kind: kept, listed and answered as JSON text. */
import type { InValue } from '@libsql/client'
import { JsonText } from '#contract/kernel.ts'
import type { Queries } from './store.ts'

interface Options<T> {
  /** How lists are sorted: a column and direction. Creation order unless said otherwise. */
  order?: string
  /** Columns that queries need, beside the id. */
  columns?: (document: T) => Record<string, InValue>
}

export interface Collection<T> {
  /** The document, or undefined when there is none. */
  get(queries: Queries, id: string): Promise<T | undefined>
  /** The document as text, or undefined when there is none. */
  text(queries: Queries, id: string): Promise<JsonText<T> | undefined>
  /** A list as text, the whole of it unless a page is asked for. */
  list(queries: Queries, page?: { limit: number; offset: number }): Promise<JsonText<T[]>>
  all(queries: Queries): Promise<T[]>
  count(queries: Queries): Promise<number>
  insert(queries: Queries, document: T): Promise<void>
  update(queries: Queries, document: T): Promise<void>
  /** @returns whether there was such a document */
  delete(queries: Queries, id: string): Promise<boolean>
}

/** @param table a table of the migrations: it becomes part of the statements */
export function collection<T extends { id: string }>(table: string, options: Options<T> = {}): Collection<T> {
  const order = options.order ?? 'seq'
  const values = (document: T): Record<string, InValue> => ({
    ...options.columns?.(document),
    document: JSON.stringify(document),
  })

  async function text(queries: Queries, id: string) {
    const [row] = await queries.rows(`SELECT document FROM ${table} WHERE id = ?`, [id])
    return row && new JsonText<T>(String(row['document']))
  }

  async function list(queries: Queries, page?: { limit: number; offset: number }) {
    // A negative limit is no limit.
    const { limit, offset } = page ?? { limit: -1, offset: 0 }
    const rows = await queries.rows(`SELECT document FROM ${table} ORDER BY ${order} LIMIT ? OFFSET ?`, [limit, offset])
    return new JsonText<T[]>(`[${rows.map((row) => row['document']).join(',')}]`)
  }

  return {
    text,
    list,
    get: async (queries, id) => {
      const found = await text(queries, id)
      return found && parse(found)
    },
    all: async (queries) => parse(await list(queries)),
    count: async (queries) => {
      const [row] = await queries.rows(`SELECT count(*) AS total FROM ${table}`)
      return Number(row?.['total'])
    },
    insert: async (queries, document) => {
      const row = { id: document.id, ...values(document) }
      const names = Object.keys(row)
      await queries.run(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row),
      )
    },
    update: async (queries, document) => {
      const row = values(document)
      const assignments = Object.keys(row).map((name) => `${name} = ?`)
      await queries.run(`UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`, [
        ...Object.values(row),
        document.id,
      ])
    },
    delete: async (queries, id) => (await queries.run(`DELETE FROM ${table} WHERE id = ?`, [id])) > 0,
  }
}

function parse<T>(text: JsonText<T>): T {
  return JSON.parse(text.text) as T // nothing but `insert` and `update` writes these texts, from a T
}
