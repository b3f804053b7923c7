/**
 * Connections that exist as long as something of this server does, such as the staging environment of the sample. Each is
 * created once: one that a person deleted does not come back, and one that a person led elsewhere is theirs.
 */
import type { Database } from '../database/database.ts'
import type { Connections, Seed } from './connections.ts'

/**
 * Creates the temporary ones among the seeds, updates them, and removes those that are no seeds any more.
 * @returns ids of connections that were removed
 */
export async function followTemporary(
  { connections, database }: { connections: Connections; database: Pick<Database, 'rows' | 'write'> },
  seeds: readonly Seed[],
): Promise<string[]> {
  const rows = await database.rows('SELECT id, base_url FROM temporary_connections')
  const known = new Map(rows.map((row) => [String(row['id']), String(row['base_url'])]))
  const wanted = seeds.filter(({ temporary }) => temporary)
  for (const seed of wanted) {
    const address = known.get(seed.id)
    if (address !== undefined && addressOf(connections, seed.id) !== address) continue
    await connections.seed([seed], address === undefined ? 'all' : 'existing')
    const followed = addressOf(connections, seed.id)
    if (followed === undefined || followed === address) continue
    // A kill before this makes it known at the next start.
    await database.write({
      sql: `INSERT INTO temporary_connections (id, base_url) VALUES (?, ?)
        ON CONFLICT (id) DO UPDATE SET base_url = excluded.base_url`,
      args: [seed.id, followed],
    })
  }
  const removed: string[] = []
  for (const [id, address] of known) {
    if (wanted.some((seed) => seed.id === id)) continue
    if (await connections.withdraw(id, address)) removed.push(id)
    await database.write({ sql: 'DELETE FROM temporary_connections WHERE id = ?', args: [id] })
  }
  return removed
}

function addressOf(connections: Connections, id: string): string | undefined {
  return connections.list().find((connection) => connection.id === id)?.baseUrl
}
