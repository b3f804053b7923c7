/**
 * The connections to the stack of this server, which every start creates or updates. Consoles that share a database share
 * them: if their stacks share their records as well, they have the same keys, and each start finds them as they should be. A
 * stack at another address or with records of its own does not take them from the consoles that use them.
 */
import type { Database } from '../database/database.ts'
import type { Connections, Seed } from './connections.ts'
import { followTemporary } from './temporaryConnections.ts'

/** The log of a console whose connections were left as they are. */
export const leftSeeds =
  'The connections to the local stack lead to the stack of another console, and were left as they are. Give all consoles ' +
  'the same STACK_URL, and their stacks the same DATABASE_URL.'

/**
 * @param hasOthers whether other consoles use the connections now
 * @returns `left` if existing ones are of another stack, and stay so
 */
export async function seedConnections(
  parts: { connections: Connections; database: Pick<Database, 'rows' | 'write'> },
  seeds: readonly Seed[],
  hasOthers: () => Promise<boolean>,
): Promise<'followed' | 'left'> {
  const { connections } = parts
  const lasting = seeds.filter(({ temporary }) => !temporary)
  if (!connections.haveSeeds(lasting) && (await hasOthers())) return 'left'
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
