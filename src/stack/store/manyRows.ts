/** Statements over many rows, in parts that both databases accept. */
import type { Statements, Value } from '#node/database/statements.ts'

const maxValues = 2000

/** Runs a statement for parts of a list, one after the other. */
export async function inChunks<T, R>(all: readonly T[], run: (some: readonly T[]) => Promise<R>, size = maxValues) {
  const results: R[] = []
  for (let at = 0; at < all.length; at += size) results.push(await run(all.slice(at, at + size)))
  return results
}

/** `?, ?, ?` */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ')
}

/**
 * Inserts rows, and replaces those with the same key.
 *
 * @param table its name, columns and key become part of the statement
 */
export async function upsertRows(
  queries: Statements,
  { table, columns, key }: { table: string; columns: readonly string[]; key: readonly string[] },
  rows: readonly (readonly Value[])[],
): Promise<void> {
  const changes = columns.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`)
  await inChunks(
    rows,
    (some) =>
      queries.run(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${some.map(() => `(${placeholders(columns.length)})`).join(', ')}
         ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes.join(', ')}`,
        some.flat(),
      ),
    Math.floor(maxValues / columns.length),
  )
}
