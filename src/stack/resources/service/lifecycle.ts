/** Services that are created and deleted, and their passwords. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Handlers } from '#contract/wire/kernel.ts'
import { deletableStates, type ServiceCreate, type services } from '#contract/cloud/services/services.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { requirePermission, type Caller } from '../../access/caller.ts'
import { backupRows } from '../../backups/backupRows.ts'
import { serviceAnswer, type ServiceDocument } from '../../documents/serviceDocument.ts'
import { changeService, serviceLimit, serviceNow, serviceRows } from '../../documents/serviceRows.ts'
import { invalidField, Refusal, refuse } from '../../refusal.ts'
import { requireRoom } from '../../store/requireRoom.ts'
import type { Queries } from '../../store/store.ts'
import type { StackContext } from '../context.ts'
import { requireCoreDumpsAllowed } from './coreDumps.ts'

export const lifecycleHandlers: Pick<Handlers<typeof services, StackContext>, 'create' | 'delete' | 'password'> = {
  async create({ body }, { store, serviceData, identity, caller }) {
    const service = await store.write(async (transaction) => {
      await requireRoom(transaction, serviceLimit)
      await requireCoreDumpsAllowed({ store: transaction, identity }, body)
      await checkBackup(transaction, body, caller)
      const own = await serviceRows.get(transaction, identity.serviceId)
      const created = newService(body, { version: own?.dbVersion, warehouse: await warehouseOf(transaction, body) })
      await serviceRows.insert(transaction, created)
      return created
    })
    serviceData.changed()
    return { service: serviceAnswer(service, currentTime()), password: newPassword() }
  },

  /** The databases and backups of the service are removed in the background. */
  async delete({ params }, context) {
    const { identity, cloud, serviceData } = context
    await changeService(context, params.serviceId, (service) => {
      if (!deletableStates.includes(service.state ?? '')) throw notDeletable(service)
      if (service.id === identity.serviceId) throw refuse('This service is the stack itself. It cannot be deleted')
      const { data: _data, ...internal } = service.internal ?? {}
      return {
        ...service,
        state: 'terminating',
        internal: { ...internal, change: { to: 'terminated', at: cloud.convergesAt() } },
      }
    })
    serviceData.changed()
    return undefined
  },

  /** Passwords are not used by this stack: a requested one is generated, returned once and not stored. */
  async password({ params, body }, { store }) {
    await serviceNow(store, params.serviceId)
    return body.newPasswordHash === undefined ? { password: newPassword() } : {}
  },
}

const newPassword = () => randomBytes(18).toString('base64url')

function notDeletable({ state }: ServiceDocument): Refusal {
  const states = deletableStates.map((deletableState) => `'${deletableState}'`).join(',')
  const rule = `Only instance in one of the following states: ${states} can be terminated.`
  return new Refusal(409, `${rule} Current state: '${state}'`)
}

/** A backup can be restored in its own region and tier only, by those who may read it. */
async function checkBackup(queries: Queries, body: ServiceCreate, caller: Caller | null): Promise<void> {
  const { backupId } = body
  if (backupId === undefined) return
  const backup = await backupRows.get(queries, backupId.toLowerCase())
  if (!backup) throw invalidField('backupId', 'there is no such backup', body)
  if (caller) requirePermission(caller, 'control-plane:service:view-backups', backup.serviceId)
  if (backup.status !== 'done') throw invalidField('backupId', `the backup is ${backup.status}, not done`, body)
  const source = await serviceNow(queries, backup.serviceId)
  for (const field of ['provider', 'region', 'tier'] as const) {
    const requested = body[field]
    const backedUp = source[field]
    if (requested === backedUp || (field === 'tier' && (requested === undefined || backedUp == null))) continue
    throw invalidField(field, `must be that of the backup, ${backedUp}`, body)
  }
}

/** @throws InvalidInput for a warehouse that does not exist */
async function warehouseOf(queries: Queries, body: ServiceCreate): Promise<ServiceDocument | undefined> {
  const { dataWarehouseId } = body
  if (dataWarehouseId === undefined) return undefined
  const found = (await serviceRows.all(queries)).find((row) => row.dataWarehouseId === dataWarehouseId)
  if (!found) throw invalidField('dataWarehouseId', 'there is no such warehouse', body)
  return found
}

const defaults = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 120, idleTimeoutMinutes: 15 }

function newService(
  body: ServiceCreate,
  { version, warehouse }: { version?: string | null | undefined; warehouse: ServiceDocument | undefined },
): ServiceDocument {
  const { backupId, endpoints, numReplicas, minReplicas, maxReplicas, autoscalingMode, tags, ...rest } = body
  const id = randomUUID()
  const host = `${id.slice(0, 10)}.${body.region}.${body.provider}.localhost`
  const horizontal = autoscalingMode === 'horizontal' || (minReplicas !== undefined && minReplicas !== maxReplicas)
  const idleScaling = body.idleScaling ?? true
  return {
    ...defaults,
    ...rest,
    id,
    state: 'provisioning',
    dbVersion: version ?? '',
    releaseChannel: body.releaseChannel ?? 'default',
    autoscalingMode: horizontal ? 'horizontal' : 'vertical',
    ...(horizontal
      ? { minReplicas, maxReplicas, replicaMemoryGb: body.minReplicaMemoryGb ?? defaults.minReplicaMemoryGb }
      : { numReplicas: numReplicas ?? minReplicas ?? (body.tier === 'development' ? 1 : 3) }),
    idleScaling,
    idleTimeoutMinutes: body.idleTimeoutMinutes ?? defaults.idleTimeoutMinutes,
    endpoints: [
      { protocol: 'https', host, port: 8443, username: 'default' },
      { protocol: 'nativesecure', host, port: 9440, username: 'default' },
      ...(endpoints?.at(-1)?.enabled
        ? [{ protocol: 'mysql' as const, host, port: 3306, username: `mysql4${id.slice(0, 8)}` }]
        : []),
    ],
    ipAccessList: body.ipAccessList.map(({ source, description = '' }) => ({ source, description })),
    ...(tags && { tags: tags.map(({ key, value = '' }) => ({ key, value })) }),
    createdAt: currentIsoTime(),
    privateEndpointIds: [],
    availablePrivateEndpointIds: [],
    dataWarehouseId: warehouse?.dataWarehouseId ?? id,
    isPrimary: warehouse === undefined,
    isReadonly: body.isReadonly ?? false,
    hasTransparentDataEncryption: body.hasTransparentDataEncryption ?? false,
    internal: { data: backupId === undefined ? {} : { backupId: backupId.toLowerCase() } },
  }
}
