/** Single values of the stack itself: who it is, its keys, how far the sample has come. */
import type { z } from 'zod'
import type { Queries } from './store.ts'

export async function readSetting<S extends z.ZodType>(
  queries: Queries,
  name: string,
  schema: S,
): Promise<z.output<S> | undefined> {
  const [row] = await queries.rows('SELECT value FROM settings WHERE name = ?', [name])
  return row && schema.parse(JSON.parse(String(row['value'])))
}

export async function writeSetting(queries: Queries, name: string, value: unknown): Promise<void> {
  await queries.run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, JSON.stringify(value)],
  )
}
