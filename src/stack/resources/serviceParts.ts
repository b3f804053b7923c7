/** Parts of a service for provisioning tools: section 15 of the managed reference. */
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Handlers } from '#contract/kernel.ts'
import type { backupConfigurationInput } from '#contract/serviceParts.ts'
import type { services } from '#contract/services.ts'
import type { StackContext } from './context.ts'
import { refuse } from '../refusal.ts'
import type { ServiceDocument } from '../documents/serviceDocument.ts'
import { changeService, serviceNow } from '../documents/serviceRows.ts'

type Parts = 'privateEndpointConfig' | 'backupConfiguration' | 'updateBackupConfiguration' | 'password'

export const servicePartHandlers: Pick<Handlers<typeof services, StackContext>, Parts> = {
  /** Names as a cloud has them. This stack has no private network. */
  async privateEndpointConfig({ params }, { store }) {
    const { id, region } = await serviceNow(store, params.serviceId)
    const short = id.replaceAll('-', '').slice(0, 17)
    return {
      endpointServiceId: `com.amazonaws.vpce.${region}.vpce-svc-${short}`,
      privateDnsHostname: `${short.slice(0, 10)}.${region}.vpce.localhost`,
    }
  },

  async backupConfiguration({ params }, { store }) {
    return backupsOf(await serviceNow(store, params.serviceId))
  },

  /** Stored and returned. This stack makes no backups. */
  async updateBackupConfiguration({ params, body }, context) {
    const changed = await changeService(context, params.serviceId, (service) => ({
      ...service,
      internal: { ...service.internal, backups: changedBackups(backupsOf(service), body) },
    }))
    return backupsOf(changed)
  },

  /** Passwords are not used by this stack: a requested one is generated, returned once and not stored. */
  async password({ params, body }, { store }) {
    await serviceNow(store, params.serviceId)
    return body.newPasswordHash === undefined ? { password: randomBytes(18).toString('base64url') } : {}
  },
}

type Backups = NonNullable<NonNullable<ServiceDocument['internal']>['backups']>

const defaultBackups: Backups = { backupPeriodInHours: 24, backupRetentionPeriodInHours: 24, backupStartTime: null }

/** @throws Refusal 400 for a service that shares the data of another */
function backupsOf(service: ServiceDocument): Backups {
  if (service.isPrimary === false) throw refuse('only the primary service of a warehouse has a backup configuration')
  return { ...defaultBackups, ...service.internal?.backups }
}

/** Fields that are left out stay; null sets the default. */
function changedBackups(backups: Backups, change: z.output<typeof backupConfigurationInput>): Backups {
  const next = { ...backups, ...change }
  const { backupPeriodInHours: period } = change
  if (period != null && period !== 24 && next.backupStartTime != null) {
    throw refuse('backupPeriodInHours must be 24 with a backupStartTime. Send null for backupStartTime to change it')
  }
  return {
    backupPeriodInHours: change.backupStartTime ? 24 : (next.backupPeriodInHours ?? defaultBackups.backupPeriodInHours),
    backupRetentionPeriodInHours: next.backupRetentionPeriodInHours ?? defaultBackups.backupRetentionPeriodInHours,
    backupStartTime: next.backupStartTime ?? null,
  }
}
