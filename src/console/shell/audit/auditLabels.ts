/** Words of the audit log. */
import { kindLabel } from '#console/shell/runs/kinds.tsx'
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import { capitalized } from '#domain/text/words.ts'
import type { AuditEntry } from '#contract/audit.ts'

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

/** Actions with words of their own. */
const events: Readonly<Record<string, string>> = {
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
  'account.connectProvider': 'connected the own account to',
  'account.disconnectProvider': 'disconnected the own account from',
  'connection.setReadOnly': 'allowed or blocked writes',
  'person.setDisabled': 'disabled or enabled an account',
  'person.invite': 'created a link for a password',
  'account.setPassword': 'changed the own password',
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
  'run.undo': 'started to undo a run',
  'approval.setRules': 'changed the approval settings',
  'breakGlass.start': 'broke the glass',
  'breakGlass.end': 'ended the break-glass',
  'breakGlass.expire': 'break-glass ended by itself',
  'changeRequest.approve': 'approved request',
  'changeRequest.decline': 'declined request',
  'changeRequest.withdraw': 'withdrew request',
  'changeRequest.comment': 'commented on request',
  'changeRequest.expire': 'let request expire:',
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
