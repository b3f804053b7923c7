/** Single values of the stack itself: who it is, its keys, how far the sample has come. */
import type { z } from 'zod'
import { sealedSettings } from './sealedParts.ts'
import type { Queries } from './store.ts'

export async function readSetting<S extends z.ZodType>(
  queries: Queries,
  name: string,
  schema: S,
): Promise<z.output<S> | undefined> {
  const [row] = await queries.rows('SELECT value FROM settings WHERE name = ?', [name])
  if (!row) return undefined
  const value: unknown = JSON.parse(String(row['value']))
  return schema.parse(sealedSettings.includes(name) ? opened(queries, name, String(value)) : value)
}

export async function writeSetting(queries: Queries, name: string, value: unknown): Promise<void> {
  const text = JSON.stringify(value)
  const kept = sealedSettings.includes(name) ? JSON.stringify(queries.secrets.seal(placeOf(name), text)) : text
  await queries.run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, kept],
  )
}

function opened({ secrets }: Queries, name: string, sealed: string): unknown {
  return JSON.parse(secrets.open(placeOf(name), sealed))
}

const placeOf = (name: string) => ['settings', name]
