/** The backups of services: begun when they are due, written one after the other, and removed when they have expired. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { wallClock } from '#node/clock/wallClock.ts'
import type { ServiceDocument } from '../documents/serviceDocument.ts'
import type { Store } from '../store/store.ts'
import { expiredBackups, nextBackupAt, planOf } from './backupPlan.ts'
import { backupRows, type BackupDocument } from './backupRows.ts'
import {
  databasesOfService,
  removeBackup,
  removeUnknownBackups,
  writeBackup,
  type BackupEngine,
} from './engineBackups.ts'

interface BackupDependencies {
  store: Store
  engine: BackupEngine
  /** The service that is the stack itself. */
  stackServiceId: string
  logger: Logger
  now: () => number
  /** Fires when the stack stops. */
  signal: AbortSignal
}

export interface StoredBackup extends BackupDocument {
  databases?: string[]
}

/** The states in which a service is backed up. */
const backedUpStates: readonly string[] = ['running', 'idle']

export class ServiceBackups {
  readonly #dependencies: BackupDependencies

  constructor(dependencies: BackupDependencies) {
    this.#dependencies = dependencies
  }

  /** A backup that was being written when the process ended is not complete. */
  async discardInterrupted(): Promise<void> {
    const { store, engine } = this.#dependencies
    const backups = await backupRows.all(store)
    for (const backup of backups.filter(({ status }) => status === 'in_progress')) {
      await this.#finish(backup, {
        status: 'error',
        statusDetail: 'the stack was stopped before the backup was complete',
      })
    }
    await removeUnknownBackups(engine, new Set(backups.filter(({ status }) => status === 'done').map(({ id }) => id)))
  }

  /** Removes the backups of a service that have expired, and notes the next one if it is due. */
  async keep(service: ServiceDocument): Promise<void> {
    const { store, engine, now } = this.#dependencies
    if (service.isPrimary === false) return
    const backups = await backupRows.of(store, service.id)
    const plan = planOf(service)
    for (const { id } of expiredBackups(plan, backups, now() - wallClock.deletionLag())) {
      await store.write((transaction) => backupRows.delete(transaction, id))
      await removeBackup(engine, id)
    }
    if (!backedUpStates.includes(service.state ?? '') || backups.some(({ status }) => status === 'in_progress')) return
    const last = backups.at(-1)
    const due = nextBackupAt(plan, last ? Date.parse(last.startedAt) : null, Date.parse(service.createdAt ?? ''), now())
    if (!(due <= now())) return
    if ((await this.#databasesOf(service.id)).length === 0) return
    await store.write((transaction) => backupRows.insert(transaction, newBackup(service, now())))
  }

  /** Writes the backups that were begun. */
  async writeDue(): Promise<void> {
    const { store, signal } = this.#dependencies
    for (const backup of await backupRows.all(store)) {
      if (signal.aborted) return
      if (backup.status === 'in_progress') await this.#write(backup)
    }
  }

  async #write(backup: BackupDocument): Promise<void> {
    const { engine, logger, signal } = this.#dependencies
    try {
      const databases = await this.#databasesOf(backup.serviceId)
      if (databases.length === 0) throw new Error('the service has no database')
      const sizeInBytes = await writeBackup(engine, backup.id, databases, signal)
      await this.#finish(backup, { status: 'done', sizeInBytes, databases })
    } catch (error) {
      if (signal.aborted) return
      logger.error({ err: error, backup: backup.id }, 'A backup failed')
      await removeBackup(engine, backup.id).catch(() => undefined)
      const statusDetail = error instanceof Error ? error.message : 'unknown error'
      await this.#finish(backup, { status: 'error', statusDetail })
    }
  }

  async #finish(backup: BackupDocument, outcome: Partial<StoredBackup>): Promise<void> {
    const { store, now } = this.#dependencies
    const ended = now()
    const seconds = Math.max(0, ended - Date.parse(backup.startedAt)) / 1000
    const fields = { finishedAt: new Date(ended).toISOString(), durationInSeconds: seconds, ...outcome }
    await store.write((transaction) => backupRows.update(transaction, { ...backup, ...fields }))
  }

  #databasesOf(serviceId: string): Promise<string[]> {
    const { engine, stackServiceId } = this.#dependencies
    return databasesOfService(engine, serviceId, serviceId === stackServiceId)
  }
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
