/** A collection of documents: stored as JSON text with encrypted secrets. */
import { JsonText } from '#contract/kernel.ts'
import { sealedFields, withSecrets, type Parts } from './sealedParts.ts'
import { sealedRow } from './storeSecrets.ts'
import type { Queries } from './store.ts'
import type { Row, Value } from './backend.ts'

interface Options<T> {
  /** The order of lists: a column and direction. Default: creation order. */
  order?: string
  /** Further columns that queries need. */
  columns?: (document: T) => Record<string, Value>
}

export interface Collection<T> {
  /** The document, or undefined if it does not exist. */
  get(queries: Queries, id: string): Promise<T | undefined>
  /** The document as text, or undefined if it does not exist. */
  text(queries: Queries, id: string): Promise<JsonText<T> | undefined>
  /** A list as text: all of it, or one page. */
  list(queries: Queries, page?: { limit: number; offset: number }): Promise<JsonText<T[]>>
  all(queries: Queries): Promise<T[]>
  count(queries: Queries): Promise<number>
  insert(queries: Queries, document: T): Promise<void>
  update(queries: Queries, document: T): Promise<void>
  /** @returns whether the document existed */
  delete(queries: Queries, id: string): Promise<boolean>
}

/** @param table a table of the migrations. It becomes part of the statements */
export function collection<T extends { id: string }>(table: string, options: Options<T> = {}): Collection<T> {
  const order = options.order ?? 'seq'
  const hasSecrets = sealedFields[table] !== undefined
  const columnList = hasSecrets ? 'id, document, sealed' : 'document'

  function values({ secrets }: Queries, document: T): Record<string, Value> {
    const columns = options.columns?.(document)
    if (!hasSecrets) return { ...columns, document: JSON.stringify(document) }
    return { ...columns, ...sealedRow(secrets, [table, document.id], document) }
  }

  function textOf({ secrets }: Queries, { id, document, sealed }: Row): string {
    if (sealed == null) return String(document)
    const parts = JSON.parse(secrets.open([table, String(id)], String(sealed))) as Parts // `sealedRow` wrote it
    return JSON.stringify(withSecrets(JSON.parse(String(document)), parts))
  }

  async function text(queries: Queries, id: string) {
    const [row] = await queries.rows(`SELECT ${columnList} FROM ${table} WHERE id = ?`, [id])
    return row && new JsonText<T>(textOf(queries, row))
  }

  async function list(queries: Queries, page?: { limit: number; offset: number }) {
    const all = `SELECT ${columnList} FROM ${table} ORDER BY ${order}`
    const rows = page
      ? await queries.rows(`${all} LIMIT ? OFFSET ?`, [page.limit, page.offset])
      : await queries.rows(all)
    return new JsonText<T[]>(`[${rows.map((row) => textOf(queries, row)).join(',')}]`)
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
      const row = { id: document.id, ...values(queries, document) }
      const names = Object.keys(row)
      await queries.run(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row),
      )
    },
    update: async (queries, document) => {
      const row = values(queries, document)
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
