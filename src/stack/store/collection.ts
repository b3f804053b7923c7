/** A collection of documents: stored as JSON text with encrypted secrets. */
import { JsonText } from '#contract/wire/kernel.ts'
import { sealedTables, withSecrets, type DocumentTable, type SecretValues } from './sealedParts.ts'
import { sealedRow } from './storeSecrets.ts'
import { damagedRows, readableRows, readRow } from '#node/database/damagedRows.ts'
import type { Queries } from './store.ts'
import type { Row, Value } from '#node/database/statements.ts'

interface Options<T> {
  /** The order of lists: a column and direction. Default: creation order. */
  order?: string
  /** Further columns that queries need. */
  columns?: (document: T) => Record<string, Value>
}

export interface Collection<T> {
  /** The document, or undefined if it does not exist. @throws DamagedRow */
  get(queries: Queries, id: string): Promise<T | undefined>
  /** The document as text, or undefined if it does not exist. @throws DamagedRow */
  text(queries: Queries, id: string): Promise<JsonText<T> | undefined>
  /** Whether there is a document with this ID, damaged or not. */
  has(queries: Queries, id: string): Promise<boolean>
  /** The IDs of all documents, damaged ones too. */
  ids(queries: Queries): Promise<string[]>
  /** A list as text: all of it, or one page, without damaged documents. */
  list(queries: Queries, page?: { limit: number; offset: number }): Promise<JsonText<T[]>>
  /** Without damaged documents. */
  all(queries: Queries): Promise<T[]>
  count(queries: Queries): Promise<number>
  insert(queries: Queries, document: T): Promise<void>
  update(queries: Queries, document: T): Promise<void>
  /** @returns whether the document existed */
  delete(queries: Queries, id: string): Promise<boolean>
}

/** @param table becomes part of the statements */
export function collection<T extends { id: string }>(table: DocumentTable, options: Options<T> = {}): Collection<T> {
  const order = options.order ?? 'seq'
  const hasSecrets = sealedTables.includes(table)
  const columnList = hasSecrets ? 'id, document, sealed' : 'id, document'

  function values({ secrets }: Queries, document: T): Record<string, Value> {
    const columns = options.columns?.(document)
    if (!hasSecrets) return { ...columns, document: JSON.stringify(document) }
    return { ...columns, ...sealedRow(secrets, [table, document.id], document) }
  }

  /** @throws for a damaged row */
  function read({ secrets }: Queries, { id, document, sealed }: Row): { text: string; parsed: T } {
    const text = String(document)
    const parsed = documentOf<T>(text, String(id))
    if (sealed == null) return { text, parsed }
    const parts = JSON.parse(secrets.open([table, String(id)], String(sealed))) as SecretValues // `sealedRow` wrote it
    const whole = withSecrets(parsed, parts) as T // the parts are those that `sealedRow` took out of a T
    return { text: JSON.stringify(whole), parsed: whole }
  }

  async function one(queries: Queries, id: string) {
    const [row] = await queries.rows(`SELECT ${columnList} FROM ${table} WHERE id = ?`, [id])
    return row && readRow(table, id, () => read(queries, row))
  }

  async function many(queries: Queries, page?: { limit: number; offset: number }) {
    const all = `SELECT ${columnList} FROM ${table} ORDER BY ${order}`
    const rows = page
      ? await queries.rows(`${all} LIMIT ? OFFSET ?`, [page.limit, page.offset])
      : await queries.rows(all)
    return readableRows(table, rows, ['id'], (row) => read(queries, row))
  }

  return {
    get: async (queries, id) => (await one(queries, id))?.parsed,
    text: async (queries, id) => {
      const found = await one(queries, id)
      return found && new JsonText<T>(found.text)
    },
    has: async (queries, id) => (await queries.rows(`SELECT 1 FROM ${table} WHERE id = ?`, [id])).length > 0,
    ids: async (queries) => (await queries.rows(`SELECT id FROM ${table}`)).map(({ id }) => String(id)),
    list: async (queries, page) => {
      const texts = (await many(queries, page)).map(({ text }) => text)
      return new JsonText<T[]>(`[${texts.join(',')}]`)
    },
    all: async (queries) => (await many(queries)).map(({ parsed }) => parsed),
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
    delete: async (queries, id) => {
      const count = await queries.run(`DELETE FROM ${table} WHERE id = ?`, [id])
      damagedRows.forget(table, id)
      return count > 0
    },
  }
}

/** The documents of rows with `id` and `document`, without damaged ones. For tables without secrets. */
export function documentsOf<T extends { id: string }>(table: string, rows: readonly Row[]): T[] {
  return readableRows(table, rows, ['id'], ({ id, document }) => documentOf<T>(String(document), String(id)))
}

/** @throws if the text is not the document with this ID */
export function documentOf<T extends { id: string }>(text: string, id: string): T {
  const parsed = JSON.parse(text) as T // nothing but `insert` and `update` writes these texts, from a T
  if (parsed?.id !== id) throw new TypeError('The text is not the document with this ID.')
  return parsed
}
