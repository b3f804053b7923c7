/**
 * The connections to the stack of this server, which every start creates or updates. Consoles that share a database share
 * them: if their stacks share their records as well, they have the same keys, and each start finds them as they should be. A
 * stack at another address or with records of its own does not take them from the consoles that use them.
 */
import type { Connections, Seed } from './connections.ts'

/** What a console logs whose connections were left as they are. */
export const leftSeeds =
  'The connections to the local stack lead to the stack of another console, and were left as they are. Give all consoles ' +
  'the same STACK_URL, and their stacks the same DATABASE_URL.'

/**
 * @param hasOthers whether other consoles use the connections now
 * @returns `left` if existing ones are of another stack, and stay so
 */
export async function seedConnections(
  connections: Connections,
  seeds: readonly Seed[],
  hasOthers: () => Promise<boolean>,
): Promise<'followed' | 'left'> {
  if (!connections.haveSeeds(seeds) && (await hasOthers())) return 'left'
  await connections.seed(seeds)
  return 'followed'
}
