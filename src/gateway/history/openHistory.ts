/** The history of all connections: its journal, its routes and its background work. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Connections } from '../connections/connections.ts'
import { Duties, Periodic } from '../cluster/backgroundWork.ts'
import { OwnWrites } from '../cluster/ownWrites.ts'
import type { Presence } from '../cluster/presence.ts'
import type { SharedLocks } from '../cluster/sharedLocks.ts'
import type { SharedRevisions } from '../cluster/sharedRevisions.ts'
import type { Database } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import { logFault } from '#node/process/logFault.ts'
import { RecordLocks } from '#node/concurrency/concurrencyLimits.ts'
import { ChangeStore } from './changeStore.ts'
import { RecordStateStore, stateRevision } from './recordStateStore.ts'
import { History } from './history.ts'
import { HistoryQueries } from './historyQueries.ts'
import { registerHistory } from './historyRoutes.ts'
import { OtherWrites } from './otherWrites.ts'
import { PendingWrites } from './pendingWrites.ts'
import { ProvisionalResults } from './provisionalResults.ts'
import { RecordStates } from './recordStates.ts'
import { applyRetention, defaultLimits, type RetentionLimits } from './retention.ts'
import { Snapshots } from './snapshots.ts'
import { Versions } from './versions.ts'
import { WritesUnderWay } from './writesUnderWay.ts'

interface JournalDependencies {
  database: Database
  sealed: SealedJson
  presence: Presence
  locks: SharedLocks
  /** Tells what other consoles have changed. */
  others: SharedRevisions
  audit: AuditLog
  logger: FastifyBaseLogger
}

interface OpenHistoryDependencies {
  journal: OpenJournal
  connections: Connections
  deployments: Deployments
  limits?: RetentionLimits | undefined
}

const day = 86_400_000
/** Milliseconds between checks whether the limits have to be applied. */
const pollInterval = 60_000

export interface OpenHistory {
  queries: HistoryQueries
  versions: Versions
  /** Returns once all reads so far are stored. */
  settled(): Promise<void>
  close(): Promise<void>
}

/**
 * The store of the changes and versions of a database.
 * @param own the writes of this console; of a command, which owns nothing, by default
 * @param locks of all consoles of the database; without it, there is no other
 */
export function historyParts(
  database: Database,
  sealed: SealedJson,
  onError: (error: unknown) => void,
  own = new OwnWrites(database),
  locks: Pick<RecordLocks, 'hold'> = new RecordLocks(),
) {
  const store = new ChangeStore(own)
  const versions = new Versions(database, sealed)
  const stateStore = new RecordStateStore(own)
  const states = new RecordStates(stateStore, versions, locks)
  const others = new OtherWrites(own, stateStore)
  const provisional = new ProvisionalResults(own)
  return { store, stateStore, versions, states, writes: new WritesUnderWay(), others, provisional, sealed, onError }
}

export type OpenJournal = ReturnType<typeof openJournal>

/** The journal, which records all reads and writes of deployments. It passes each write on to the audit log. */
export function openJournal({ database, sealed, presence, locks, others, audit, logger }: JournalDependencies) {
  const onError = logFault(logger, 'The history could not be stored.')
  const shared = historyParts(database, sealed, onError, presence.ownWrites, locks)
  others.follow((revisions, readAt) => shared.others.note(revisions.get(stateRevision) ?? 0, readAt))
  const history = new History({ ...shared, onWritten: (write) => audit.note(write) })
  return { ...shared, database, presence, history }
}

/** The routes of the history, and its background work. */
export function openHistory(
  app: FastifyInstance,
  { journal, connections, deployments, limits = defaultLimits }: OpenHistoryDependencies,
): OpenHistory {
  const { history, database, presence, store, states, versions, onError } = journal
  const duties = new Duties({ ownWrites: presence.ownWrites, onError })
  const pending = new PendingWrites({ ...journal, connections, deployments })
  const snapshots = new Snapshots({ connections, deployments, presence, duties, onError })
  const queries = new HistoryQueries(database, store)
  registerHistory(app, { connections, store, queries, versions, history, snapshots, limits })
  // One console does it for all, and not every console runs for a day.
  const retain = () => applyRetention({ database, states, versions }, limits)
  const retention = new Periodic({
    presence,
    every: pollInterval,
    work: async () => void (await duties.perform('retention of the history', day, retain)),
    onError,
  })
  const takeOver = () => pending.takeOver().catch(onError)
  const taking = takeOver()
  presence.everyBeat(() => history.giveUpUnsettled().then(takeOver, onError))
  return {
    queries,
    versions,
    settled: () => history.settled(),
    close: async () => {
      await retention.close()
      await taking
      await pending.close()
      await snapshots.close()
      await history.close()
    },
  }
}
