/**
 * The data of services in the engine: makes their backups when they are due, the databases of new services, and
 * removes what deleted ones had. Every step may be repeated after a restart. Of several stacks on a database, one does this.
 */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { currentTime, wallClock } from '#node/clock/wallClock.ts'
import { settledService, isGone, type ServiceDocument } from '../documents/serviceDocument.ts'
import { changeService, serviceRows } from '../documents/serviceRows.ts'
import { deletePipeLoads } from '../pipes/loads/loads.ts'
import type { Cloud } from '../pipes/model/cloud.ts'
import { pipeRows } from '../pipes/model/pipeRows.ts'
import type { TaskLease, Tasks } from '../cluster/tasks.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { backupRows, type BackupDocument } from './backupRows.ts'
import { expiredBackups, nextBackupAt, planOf } from './backupPlan.ts'
import {
  createDatabases,
  databasesOfService,
  dropDatabases,
  makesBackups,
  removeBackup,
  removeUnknownBackups,
  writeBackup,
  type BackupEngine,
} from './engineBackups.ts'

interface ServiceDataOptions {
  store: Store
  engine: Engine | null
  cloud: Cloud
  tasks: Tasks
  /** The service that is the stack itself. */
  stackServiceId: string
  logger: Logger
  now?: () => number
}

export interface ServiceData {
  /** Whether this stack makes backups. */
  makesBackups: boolean
  /** The clock of backups. */
  now(): number
  /** Call this after a change of services or their backups. */
  changed(): void
  close(): Promise<void>
}

const task = 'services'
/** The longest time between two looks at what is due. */
const checkEveryMs = 1000

/** The states in which a service is backed up. */
const backedUpStates: readonly string[] = ['running', 'idle']

interface StoredBackup extends BackupDocument {
  databases?: string[]
}

export async function startServiceData(options: ServiceDataOptions): Promise<ServiceData> {
  const { store, cloud, tasks, stackServiceId, logger, now = currentTime } = options
  const engine = makesBackups(options.engine) ? options.engine : null
  const closing = new AbortController()
  const { signal } = closing
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  let lease: TaskLease | null = null

  /** A backup that was being written when the process ended is not complete. */
  async function discardInterrupted(over: BackupEngine): Promise<void> {
    const backups = await backupRows.all(store)
    for (const backup of backups.filter(({ status }) => status === 'in_progress')) {
      await finish(backup, { status: 'error', statusDetail: 'the stack was stopped before the backup was complete' })
    }
    await removeUnknownBackups(over, new Set(backups.filter(({ status }) => status === 'done').map(({ id }) => id)))
  }

  async function finish(backup: BackupDocument, outcome: Partial<StoredBackup>): Promise<void> {
    const ended = now()
    const seconds = Math.max(0, ended - Date.parse(backup.startedAt)) / 1000
    const fields = { finishedAt: new Date(ended).toISOString(), durationInSeconds: seconds, ...outcome }
    await store.write((transaction) => backupRows.update(transaction, { ...backup, ...fields }))
  }

  /** @returns whether this stack looks after the services. It then does until it stops */
  async function isLeading(): Promise<boolean> {
    if (lease?.isHeld()) return true
    await lease?.release()
    lease = null
    const taken = await tasks.take(task)
    if (!taken) return false
    if (engine)
      await discardInterrupted(engine).catch(async (error: unknown) => {
        await taken.release()
        throw error
      })
    lease = taken
    return true
  }

  async function pass(): Promise<void> {
    if (!(await isLeading())) return
    for (const document of await serviceRows.all(store)) {
      if (signal.aborted) return
      const service = settledService(document, now())
      if (isGone(service)) await remove(service)
      else if (service.internal?.data) await prepare(service)
      else if (engine) await keepBackups(engine, service)
    }
    if (!engine) return
    for (const backup of await backupRows.all(store)) {
      if (signal.aborted) return
      if (backup.status === 'in_progress') await write(engine, backup)
    }
  }

  async function keepBackups(over: BackupEngine, service: ServiceDocument): Promise<void> {
    if (service.isPrimary === false) return
    const backups = await backupRows.of(store, service.id)
    const plan = planOf(service)
    for (const { id } of expiredBackups(plan, backups, now() - wallClock.deletionLag())) {
      await store.write((transaction) => backupRows.delete(transaction, id))
      await removeBackup(over, id)
    }
    if (!backedUpStates.includes(service.state ?? '') || backups.some(({ status }) => status === 'in_progress')) return
    const last = backups.at(-1)
    const due = nextBackupAt(plan, last ? Date.parse(last.startedAt) : null, Date.parse(service.createdAt ?? ''), now())
    if (!(due <= now())) return
    const isStack = service.id === stackServiceId
    if ((await databasesOfService(over, service.id, isStack)).length === 0) return
    await store.write((transaction) => backupRows.insert(transaction, newBackup(service, now())))
  }

  async function write(over: BackupEngine, backup: BackupDocument): Promise<void> {
    try {
      const databases = await databasesOfService(over, backup.serviceId, backup.serviceId === stackServiceId)
      if (databases.length === 0) throw new Error('the service has no database')
      const sizeInBytes = await writeBackup(over, backup.id, databases, signal)
      await finish(backup, { status: 'done', sizeInBytes, databases })
    } catch (error) {
      if (signal.aborted) return
      logger.error({ err: error, backup: backup.id }, 'A backup failed')
      await removeBackup(over, backup.id).catch(() => undefined)
      await finish(backup, { status: 'error', statusDetail: error instanceof Error ? error.message : 'unknown error' })
    }
  }

  /** Makes the databases of a new service; then it starts. */
  async function prepare(service: ServiceDocument): Promise<void> {
    const { backupId } = service.internal?.data ?? {}
    try {
      const backup = backupId === undefined ? undefined : await backupRows.get(store, backupId)
      const { serviceId, databases } = (backup ?? {}) as Partial<StoredBackup> // `finish` stored its databases
      if (backupId !== undefined && !databases) throw new Error('the backup no longer exists')
      if (engine) {
        const from = backupId && serviceId && databases ? { backupId, serviceId, databases } : null
        await createDatabases(engine, service.id, from, signal)
      }
      await settle(service.id, (now) => ({
        ...now,
        internal: internalWith(now, { to: 'running', at: cloud.convergesAt() }),
      }))
    } catch (error) {
      if (signal.aborted) return
      logger.error({ err: error, service: service.id }, 'The databases of a service could not be created')
      await settle(service.id, (now) => ({ ...now, state: 'failed', internal: internalWith(now) }))
    }
  }

  async function settle(serviceId: string, work: (service: ServiceDocument) => ServiceDocument): Promise<void> {
    await changeService({ store, cloud }, serviceId, (service) => (service.internal?.data ? work(service) : service))
  }

  /** Removes everything that a deleted service had. */
  async function remove(service: ServiceDocument): Promise<void> {
    for (const pipe of (await pipeRows.all(store)).filter(({ serviceId }) => serviceId === service.id)) {
      await store.write((transaction) => pipeRows.delete(transaction, pipe.id))
      await cloud.forget(pipe)
      await store.write((transaction) => deletePipeLoads(transaction, pipe.id))
    }
    if (engine) await dropDatabases(engine, service.id)
    for (const { id } of await backupRows.of(store, service.id)) {
      await store.write((transaction) => backupRows.delete(transaction, id))
      if (engine) await removeBackup(engine, id)
    }
    await store.write((transaction) => serviceRows.delete(transaction, service.id))
  }

  function changed(): void {
    if (signal.aborted) return
    clearTimeout(timer)
    working = working
      .then(pass)
      .catch((error: unknown) => {
        if (!signal.aborted) logger.error({ err: error }, 'Failed to look after the data of services')
      })
      .finally(() => {
        clearTimeout(timer)
        if (signal.aborted) return
        timer = setTimeout(changed, checkEveryMs)
        timer.unref()
      })
  }

  changed()

  return {
    makesBackups: engine !== null,
    now,
    changed,
    async close() {
      closing.abort()
      clearTimeout(timer)
      await working
      await lease?.release()
    },
  }
}

function internalWith({ internal }: ServiceDocument, change?: { to: string; at: string }) {
  const { data: _data, ...rest } = internal ?? {}
  return { ...rest, ...(change && { change }) }
}

/** A backup that is to be written. */
export function newBackup(service: ServiceDocument, now: number): BackupDocument {
  const startedAt = new Date(now).toISOString()
  return {
    id: randomUUID(),
    status: 'in_progress',
    serviceId: service.id,
    startedAt,
    sizeInBytes: 0,
    durationInSeconds: 0,
    type: 'full',
    backupName: `${service.name ?? service.id} ${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
  }
}
