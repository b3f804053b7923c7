/** Which stacks use a database: see `ClusterMember`. A stack that was taken for ended joins again, with nothing. */
import type { Logger } from 'pino'
import { ClusterMember } from '#node/cluster/clusterMember.ts'
import type { Statements } from '#node/database/statements.ts'
import { StoreError } from '#node/database/storeError.ts'
import type { Store } from '../store/store.ts'

export interface PresenceOptions {
  store: Store
  dataDir: string
  /** The name of the telemetry engine (`engineId`). All stacks on a database have the same one. */
  engine: string
  logger: Pick<Logger, 'warn'>
  /** Milliseconds between two beats. Default: a second. */
  interval?: number
}

export type Presence = Pick<ClusterMember, 'id' | 'losses' | 'isCertain' | 'leave'>

/** Joins. @throws StoreError while a stack with another engine uses the database, which is known after ten seconds at most */
export async function joinStacks({ store, dataDir, engine, logger, interval }: PresenceOptions): Promise<Presence> {
  const member = new ClusterMember({
    table: 'stacks',
    database: {
      isShared: store.isShared,
      rows: store.rows,
      transact: store.write,
      transactConcurrently: store.transactConcurrently,
    },
    dataDir,
    about: { engine },
    conflict: (other) => (other['engine'] === engine ? undefined : anotherEngine()),
    removeOwned,
    rejoins: true,
    onLoss: () => logger.warn('Other stacks took this one for ended, and do its tasks now'),
    onError: (error) => logger.warn({ err: error }, 'The other stacks on the database are not known'),
    interval,
  })
  await member.join()
  return member
}

/** Everything that a stack had. */
async function removeOwned({ run }: Statements, id: string): Promise<void> {
  await run('DELETE FROM task_leases WHERE stack_id = ?', [id])
  await run('UPDATE leases SET expires = 0 WHERE holder = ?', [id])
}

function anotherEngine(): StoreError {
  return new StoreError(
    'refused',
    'Another stack uses the records of DATABASE_URL with another telemetry engine. Stacks that share their records need ' +
      'the same server in CLICKHOUSE_URL: each of them would otherwise have a part of the telemetry.',
  )
}
