/** Words of the audit log. */
import { kindLabel } from '#console/shell/recordKinds.tsx'
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import { capitalized } from '#domain/text/words.ts'
import type { AuditEntry } from '#contract/console/audit.ts'

export const outcomeTones: Record<AuditEntry['outcome'], ChipTone> = {
  begun: 'warn',
  done: 'ok',
  requested: 'warn',
  refused: 'bad',
  failed: 'bad',
  unknown: 'warn',
}

export const outcomeLabels: Record<AuditEntry['outcome'], string> = {
  begun: 'no outcome',
  done: 'done',
  requested: 'sent for approval',
  refused: 'refused',
  failed: 'failed',
  unknown: 'unknown',
}

/** Actions with words of their own: all that do not create, change or delete a record. What was acted on follows them. */
const events: Readonly<Record<string, string>> = {
  'agent.call': 'called the tool',
  'alerts.silence': 'silenced alert',
  'alerts.unsilence': 'ended the silence of alert',
  'alerts.acknowledge': 'acknowledged alert',
  'alerts.unacknowledge': 'ended the acknowledgement of alert',
  'alerts.pause': 'paused alert',
  'alerts.resume': 'resumed alert',
  'alerts.resend': 'sent a notification again, of alert',
  'charts.explain': 'explained a part of a chart',
  'charts.query': 'queried charts',
  'charts.statements': 'read the SQL of charts',
  'dashboards.validate': 'checked dashboard',
  'marker.create': 'added a deployment marker',
  'marker.delete': 'deleted a deployment marker',
  'pipes.scaling': 'scaled data pipe',
  'pipes.state': 'started or stopped data pipe',
  'pipes.discover': 'read a sample for data pipe',
  'pipes.updateSettings': 'changed the settings of data pipe',
  'pipes.resendBadRecords': 'loaded bad records again, of data pipe',
  'pipes.previewOffsets': 'previewed offsets of data pipe',
  'pipes.resetOffsets': 'reset the offsets of data pipe',
  'pipes.updateCdcScaling': 'scaled replication pipes',
  'search.query': 'searched rows',
  'search.statement': 'read the SQL of a search',
  'sample.delete': 'deleted the sample data',
  'serviceBackups.configure': 'changed the backup schedule of service',
  'serviceBackups.createBucket': 'added a backup bucket to service',
  'serviceBackups.updateBucket': 'changed the backup bucket of service',
  'serviceBackups.deleteBucket': 'removed the backup bucket of service',
  'serviceEndpoints.setQuery': 'changed the query endpoint of service',
  'serviceEndpoints.deleteQuery': 'removed the query endpoint of service',
  'serviceSchedules.replace': 'changed the scaling schedule of service',
  'serviceSchedules.setUpgradeWindow': 'changed the upgrade window of service',
  'serviceSchedules.deleteUpgradeWindow': 'removed the upgrade window of service',
  'services.state': 'started or stopped service',
  'services.replicaScaling': 'scaled service',
  'services.password': 'reset the password of service',
  'sql.run': 'queried with SQL:',
  'sql.share': 'shared the result of SQL:',
  'sql.tile': 'read a Raw SQL tile',
  'storage.setRetention': 'changed the retention of telemetry',
  'team.invite': 'invited to the team',
  'team.join': 'joined the team',
  'team.removeMember': 'removed from the team',
  'team.rename': 'renamed the team',
  'team.revokeInvitation': 'revoked the invitation of',
  'team.showAccessKey': 'showed the access key of the team',
  'team.rotateAccessKey': 'rotated the access key of the team',
  'team.showIngestionKey': 'showed the ingestion key of the team',
  'team.rotateIngestionKey': 'rotated the ingestion key of the team',
  'team.endIngestionOverlap': 'ended the former ingestion key of the team',
  'alerts.test': 'tested alert',
  'webhooks.test': 'tested webhook',
  'session.signIn': 'signed in',
  'session.signOut': 'signed out',
  'session.end': 'ended a session',
  'session.endOthers': 'ended all other sessions',
  'session.endAny': 'ended a session of',
  'session.backChannelSignOut': 'reported a sign-out, which ended',
  'person.groupRoles': 'changed roles by groups of',
  'passkey.create': 'added passkey',
  'passkey.update': 'renamed passkey',
  'passkey.delete': 'removed passkey',
  'account.connectProvider': 'connected their own account to',
  'account.disconnectProvider': 'disconnected their own account from',
  'connection.setReadOnly': 'allowed or blocked writes',
  'person.setDisabled': 'disabled or enabled an account',
  'person.invite': 'created a sign-in link for',
  'account.setPassword': 'changed their own password',
  'token.revoke': 'revoked token',
  'damagedRecord.remove': 'removed damaged record',
  'history.setSnapshots': 'changed the snapshots',
  'recordMatch.create': 'matched records',
  'recordMatch.delete': 'removed a match of records',
  'promotion.start': 'started a promotion',
  'restore.start': 'started a restore',
  'fileImport.start': 'started an import',
  'run.stop': 'stopped a run',
  'run.resume': 'resumed a run',
  'run.undo': 'started undoing a run',
  'approval.setRules': 'changed the approval settings',
  'breakGlass.start': 'started break-glass access',
  'breakGlass.end': 'ended break-glass access',
  'breakGlass.expire': 'break-glass access expired',
  'changeRequest.approve': 'approved request',
  'changeRequest.decline': 'declined request',
  'changeRequest.withdraw': 'withdrew request',
  'changeRequest.comment': 'commented on request',
  'changeRequest.expire': 'request expired:',
}

const verbs: Readonly<Record<string, string>> = { create: 'created', update: 'changed', delete: 'deleted' }

/** "changed alert", "signed in". */
export function actionOf(event: string): string {
  const own = events[event]
  if (own !== undefined) return own
  const [area = '', verb = ''] = event.split('.')
  return `${verbs[verb] ?? spaced(verb)} ${spaced(kindLabel(area).one)}`
}

/** "Saved searches". */
export function areaLabel(area: string): string {
  return capitalized(spaced(kindLabel(area).many))
}

/** "replicaScaling" as "replica scaling". */
function spaced(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
}
