/** When backups of a service are made, and how long they are kept. */
import { stepTolerance } from '#node/clock/wallClock.ts'
import type { ServiceDocument } from '../documents/serviceDocument.ts'
import type { BackupDocument } from './backupRows.ts'

export type BackupPlan = NonNullable<NonNullable<ServiceDocument['internal']>['backups']>

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const defaultPlan: BackupPlan = { backupPeriodInHours: 24, backupRetentionPeriodInHours: 24, backupStartTime: null }

/** The plan of a service: what was configured, and defaults. */
export function planOf({ internal }: ServiceDocument): BackupPlan {
  return { ...defaultPlan, ...internal?.backups }
}

/** A plan with a change applied: fields that are left out stay, null sets the default. */
export function changedPlan(plan: BackupPlan, change: { [F in keyof BackupPlan]?: BackupPlan[F] | null | undefined }) {
  const next = { ...plan, ...change }
  return {
    backupPeriodInHours: change.backupStartTime ? 24 : (next.backupPeriodInHours ?? defaultPlan.backupPeriodInHours),
    backupRetentionPeriodInHours: next.backupRetentionPeriodInHours ?? defaultPlan.backupRetentionPeriodInHours,
    backupStartTime: next.backupStartTime ?? null,
  }
}

/**
 * When the next backup is due.
 * @param last when the last one began; null before the first
 * @param since when the service was created
 */
export function nextBackupAt(plan: BackupPlan, last: number | null, since: number, now: number): number {
  const from = last ?? since
  // It was made before the clock was set back. How long ago that was is not known.
  if (from > now + stepTolerance) return now
  if (plan.backupStartTime === null) return from + plan.backupPeriodInHours * hourMs
  const [hours = 0, minutes = 0] = plan.backupStartTime.split(':').map(Number)
  const sameDay = Math.floor(from / dayMs) * dayMs + (hours * 60 + minutes) * 60_000
  return sameDay > from ? sameDay : sameDay + dayMs
}

/** The backups that are kept no longer. The newest one that succeeded always stays. */
export function expiredBackups(plan: BackupPlan, backups: readonly BackupDocument[], now: number): BackupDocument[] {
  const ended = backups.filter(({ status }) => status !== 'in_progress')
  const newest = ended.findLast(({ status }) => status === 'done')
  const oldest = now - plan.backupRetentionPeriodInHours * hourMs
  return ended.filter((backup) => backup !== newest && Date.parse(backup.startedAt) < oldest)
}
