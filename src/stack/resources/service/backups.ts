/** Backups of services and their configuration. A backup does not leave this machine. */
import { randomUUID } from 'node:crypto'
import type { Handlers } from '#contract/wire/kernel.ts'
import type { BackupBucketInput, serviceBackups } from '#contract/cloud/services/serviceBackups.ts'
import { backupRows, type BackupDocument } from '../../backups/backupRows.ts'
import { changedPlan, planOf, type BackupPlan } from '../../backups/backupPlan.ts'
import { newBackup } from '../../backups/serviceBackups.ts'
import { changeService, serviceNow } from '../../documents/serviceRows.ts'
import type { ServiceDocument, StoredBucket } from '../../documents/serviceDocument.ts'
import { invalidField, Refusal, refuse } from '../../refusal.ts'
import type { StackContext } from '../context.ts'

export const serviceBackupHandlers: Handlers<typeof serviceBackups, StackContext> = {
  async list({ params }, { store, serviceData }) {
    const service = await serviceNow(store, params.serviceId)
    return (await backupRows.of(store, service.id)).toReversed().map((backup) => answerOf(backup, serviceData.now()))
  },

  async get({ params }, { store, serviceData }) {
    const service = await serviceNow(store, params.serviceId)
    const backup = await backupRows.get(store, params.backupId.toLowerCase())
    if (backup?.serviceId !== service.id) throw new Refusal(404, params.backupId)
    return answerOf(backup, serviceData.now())
  },

  async create({ params }, { store, serviceData }) {
    if (!serviceData.makesBackups) throw refuse('this stack has no embedded engine, so it makes no backups')
    const backup = await store.write(async (transaction) => {
      const service = primary(await serviceNow(transaction, params.serviceId))
      if (service.state !== 'running' && service.state !== 'idle') {
        throw new Refusal(409, `Only a running or idle service can be backed up. Current state: '${service.state}'`)
      }
      const running = (await backupRows.of(transaction, service.id)).some(({ status }) => status === 'in_progress')
      if (running) throw new Refusal(409, 'A backup of this service is already in progress')
      const created = newBackup(service, serviceData.now())
      await backupRows.insert(transaction, created)
      return created
    })
    serviceData.changed()
    return answerOf(backup, serviceData.now())
  },

  async configuration({ params }, { store }) {
    return planOf(primary(await serviceNow(store, params.serviceId)))
  },

  async configure({ params, body }, context) {
    const changed = await changeService(context, params.serviceId, (service) => ({
      ...service,
      internal: { ...service.internal, backups: checkedPlan(planOf(primary(service)), body) },
    }))
    context.serviceData.changed()
    return planOf(changed)
  },

  /** Buckets are stored and never used: see docs/PIPES.md. */
  async bucket({ params }, { store }) {
    return shownBucket(bucketOf(await serviceNow(store, params.serviceId)))
  },

  async createBucket({ params, body }, context) {
    const bucket = storedBucket(randomUUID(), body)
    await changeService(context, params.serviceId, (service) => {
      if (primary(service).internal?.bucket) throw new Refusal(409, 'The service already has a backup bucket')
      return { ...service, internal: { ...service.internal, bucket } }
    })
    return shownBucket(bucket)
  },

  async updateBucket({ params, body }, context) {
    const changed = await changeService(context, params.serviceId, (service) => {
      const { id, shown } = bucketOf(service)
      if (shown['bucketProvider'] !== body.bucketProvider) {
        const message = `is ${shown['bucketProvider']}. Delete the bucket to use another provider`
        throw invalidField('bucketProvider', message, body)
      }
      return { ...service, internal: { ...service.internal, bucket: storedBucket(id, body, shown) } }
    })
    return shownBucket(bucketOf(changed))
  },

  async deleteBucket({ params }, context) {
    await changeService(context, params.serviceId, (service) => {
      bucketOf(service)
      const { bucket: _removed, ...internal } = service.internal ?? {}
      return { ...service, internal }
    })
    return undefined
  },
}

/** @throws Refusal 404 without one */
function bucketOf(service: ServiceDocument): StoredBucket {
  const { bucket } = primary(service).internal ?? {}
  if (!bucket) throw new Refusal(404, 'the service has no backup bucket')
  return bucket
}

const secretFields: readonly string[] = ['secretAccessKey', 'connectionString']

/** @param before what a change leaves out stays, except secrets; null removes it */
function storedBucket(id: string, input: BackupBucketInput, before: StoredBucket['shown'] = {}): StoredBucket {
  const fields = Object.entries({ ...before, ...input }).flatMap(([name, value]) =>
    value == null ? [] : [[name, value] as const],
  )
  return {
    id,
    shown: Object.fromEntries(fields.filter(([name]) => !secretFields.includes(name))),
    secret: Object.fromEntries(fields.filter(([name]) => secretFields.includes(name))),
  }
}

const shownBucket = ({ id, shown }: StoredBucket) => ({ id, ...shown })

/** @throws Refusal 400 for a service that shares the data of another */
function primary(service: ServiceDocument): ServiceDocument {
  if (service.isPrimary === false) throw refuse('only the primary service of a warehouse has a backup configuration')
  return service
}

function checkedPlan(plan: BackupPlan, change: Parameters<typeof changedPlan>[1]): BackupPlan {
  const { backupPeriodInHours: period, backupStartTime = plan.backupStartTime } = change
  if (period != null && period !== 24 && backupStartTime != null) {
    throw refuse('backupPeriodInHours must be 24 with a backupStartTime. Send null for backupStartTime to change it')
  }
  return changedPlan(plan, change)
}

/** The duration of a running one is that so far. */
function answerOf({ databases: _databases, ...backup }: BackupDocument, now: number) {
  if (backup.status !== 'in_progress') return backup
  return { ...backup, durationInSeconds: Math.max(0, now - Date.parse(backup.startedAt)) / 1000 }
}
