/**
 * The connections to the stack of this server, which every start creates or updates. Consoles that share a database share
 * them: if their stacks share their records as well, they have the same keys, and each start finds them as they should be. A
 * stack at another address or with records of its own does not take them from the consoles that use them.
 */
import type { Database } from '../database/database.ts'
import type { Connections, Seed } from './connections.ts'

/** The log of a console whose connections were kept as they are. */
export const seedsKeptMessage =
  'The connections to the local stack lead to the stack of another console, and were left as they are. Give all consoles ' +
  'the same STACK_URL, and their stacks the same DATABASE_URL.'

/**
 * @param hasOthers whether other consoles use the connections now
 * @returns `kept` if existing ones are of another stack, and stay so
 */
export async function seedConnections(
  parts: { connections: Connections; database: Pick<Database, 'rows' | 'write'> },
  seeds: readonly Seed[],
  hasOthers: () => Promise<boolean>,
): Promise<'followed' | 'kept'> {
  const { connections } = parts
  const lasting = seeds.filter(({ temporary }) => !temporary)
  if (!connections.haveSeeds(lasting) && (await hasOthers())) return 'kept'
  await connections.seed(lasting)
  // Without a stack nothing is known of them.
  if (seeds.length > 0) await followTemporary(parts, seeds)
  return 'followed'
}

/**
 * The action of a running console with new keys, and once a temporary connection is no seed any more.
 * @returns ids of connections that were removed
 */
export async function followSeeds(
  parts: Parameters<typeof seedConnections>[0],
  seeds: readonly Seed[],
): Promise<string[]> {
  await parts.connections.seed(
    seeds.filter(({ temporary }) => !temporary),
    'existing',
  )
  return followTemporary(parts, seeds)
}

/**
 * Creates the temporary ones among the seeds, updates them, and removes those that are no seeds any more. They exist as long as
 * something of this server does, such as the staging environment of the sample. Each is created once: one that a person
 * deleted does not come back, and one that a person led elsewhere is theirs.
 * @returns ids of connections that were removed
 */
async function followTemporary(
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
