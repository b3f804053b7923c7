/**
 * The data of services in the engine: makes their backups when they are due, the databases of new services, and
 * removes what deleted ones had. Every step may be repeated after a restart. Of several stacks on a database, one does this.
 */
import type { Logger } from 'pino'
import { currentTime } from '#node/clock/wallClock.ts'
import { settledService, isGone, type ServiceDocument } from '../documents/serviceDocument.ts'
import { changeService, serviceRows } from '../documents/serviceRows.ts'
import { deletePipeLoads } from '../pipes/loads/loads.ts'
import type { Cloud } from '../pipes/model/cloud.ts'
import { pipeRows } from '../pipes/model/pipeRows.ts'
import type { TaskLease, Tasks } from '../cluster/tasks.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { backupRows } from './backupRows.ts'
import { createDatabases, dropDatabases, makesBackups, removeBackup, type BackupEngine } from './engineBackups.ts'
import { ServiceBackups, type StoredBackup } from './serviceBackups.ts'

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

/** Starts to look after the data of services. */
export async function startServiceData(options: ServiceDataOptions): Promise<ServiceData> {
  const serviceData = new ServiceDataKeeper(options)
  serviceData.changed()
  return serviceData
}

class ServiceDataKeeper implements ServiceData {
  readonly makesBackups: boolean
  readonly now: () => number
  readonly #options: ServiceDataOptions
  readonly #engine: BackupEngine | null
  readonly #backups: ServiceBackups | null
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #working = Promise.resolve()
  #lease: TaskLease | null = null

  constructor(options: ServiceDataOptions) {
    const { store, stackServiceId, logger, now = currentTime } = options
    this.#options = options
    this.#engine = makesBackups(options.engine) ? options.engine : null
    this.makesBackups = this.#engine !== null
    this.now = now
    const { signal } = this.#closing
    this.#backups =
      this.#engine && new ServiceBackups({ store, engine: this.#engine, stackServiceId, logger, now, signal })
  }

  changed(): void {
    const { signal } = this.#closing
    if (signal.aborted) return
    clearTimeout(this.#timer)
    this.#working = this.#working
      .then(() => this.#pass())
      .catch((error: unknown) => {
        if (!signal.aborted) this.#options.logger.error({ err: error }, 'Failed to look after the data of services')
      })
      .finally(() => {
        clearTimeout(this.#timer)
        if (signal.aborted) return
        this.#timer = setTimeout(() => this.changed(), checkEveryMs)
        this.#timer.unref()
      })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    await this.#working
    await this.#lease?.release()
  }

  async #pass(): Promise<void> {
    if (!(await this.#isLeading())) return
    for (const document of await serviceRows.all(this.#options.store)) {
      if (this.#closing.signal.aborted) return
      const service = settledService(document, this.now())
      if (isGone(service)) await this.#remove(service)
      else if (service.internal?.data) await this.#prepare(service)
      else await this.#backups?.keep(service)
    }
    await this.#backups?.writeDue()
  }

  /** @returns whether this stack looks after the services. It then does until it stops */
  async #isLeading(): Promise<boolean> {
    if (this.#lease?.isHeld()) return true
    await this.#lease?.release()
    this.#lease = null
    const taken = await this.#options.tasks.take(task)
    if (!taken) return false
    await this.#backups?.discardInterrupted().catch(async (error: unknown) => {
      await taken.release()
      throw error
    })
    this.#lease = taken
    return true
  }

  /** Makes the databases of a new service; then it starts. */
  async #prepare(service: ServiceDocument): Promise<void> {
    const { store, cloud, logger } = this.#options
    const { signal } = this.#closing
    const { backupId } = service.internal?.data ?? {}
    try {
      const backup = backupId === undefined ? undefined : await backupRows.get(store, backupId)
      const { serviceId, databases } = (backup ?? {}) as Partial<StoredBackup> // `ServiceBackups` stored its databases
      if (backupId !== undefined && !databases) throw new Error('the backup no longer exists')
      if (this.#engine) {
        const from = backupId && serviceId && databases ? { backupId, serviceId, databases } : null
        await createDatabases(this.#engine, service.id, from, signal)
      }
      await this.#settle(service.id, (now) => ({
        ...now,
        internal: internalWith(now, { to: 'running', at: cloud.convergesAt() }),
      }))
    } catch (error) {
      if (signal.aborted) return
      logger.error({ err: error, service: service.id }, 'The databases of a service could not be created')
      await this.#settle(service.id, (now) => ({ ...now, state: 'failed', internal: internalWith(now) }))
    }
  }

  async #settle(serviceId: string, work: (service: ServiceDocument) => ServiceDocument): Promise<void> {
    const { store, cloud } = this.#options
    await changeService({ store, cloud }, serviceId, (service) => (service.internal?.data ? work(service) : service))
  }

  /** Removes everything that a deleted service had. */
  async #remove(service: ServiceDocument): Promise<void> {
    const { store, cloud } = this.#options
    for (const pipe of (await pipeRows.all(store)).filter(({ serviceId }) => serviceId === service.id)) {
      await store.write((transaction) => pipeRows.delete(transaction, pipe.id))
      await cloud.forget(pipe)
      await store.write((transaction) => deletePipeLoads(transaction, pipe.id))
    }
    if (this.#engine) await dropDatabases(this.#engine, service.id)
    for (const { id } of await backupRows.of(store, service.id)) {
      await store.write((transaction) => backupRows.delete(transaction, id))
      if (this.#engine) await removeBackup(this.#engine, id)
    }
    await store.write((transaction) => serviceRows.delete(transaction, service.id))
  }
}

function internalWith({ internal }: ServiceDocument, change?: { to: string; at: string }) {
  const { data: _data, ...rest } = internal ?? {}
  return { ...rest, ...(change && { change }) }
}
