/** Words of change requests. */
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import type {
  ChangeRequest,
  ChangeRequestEventKind,
  ChangeRequestState,
  RequestedOutcome,
  ChangeRequestDetail,
} from '#contract/console/changeRequests.ts'
import type { Toast } from '#console/shell/messages/toasts.tsx'
import { counted } from '#domain/text/words.ts'

export const stateLabels: Record<ChangeRequestState, string> = {
  waiting: 'Waits for approval',
  carryingOut: 'Being applied',
  carriedOut: 'Applied',
  carriedOutWithFailures: 'Applied with failures',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
}

export const stateTones: Record<ChangeRequestState, ChipTone> = {
  waiting: 'warn',
  carryingOut: 'accent',
  carriedOut: 'ok',
  carriedOutWithFailures: 'bad',
  declined: 'bad',
  withdrawn: 'neutral',
  expired: 'neutral',
}

export const outcomeTones: Record<RequestedOutcome['state'], ChipTone> = {
  waiting: 'neutral',
  running: 'accent',
  done: 'ok',
  failed: 'bad',
  skipped: 'neutral',
  unknown: 'warn',
}

export const originLabels: Record<ChangeRequest['origin'], string> = {
  writes: 'Changes',
  promotion: 'Promotion',
  restore: 'Restore',
  undo: 'Undo',
  fileImport: 'Import',
  setting: 'Approval setting',
}

/** After the name of whoever did it. */
export const eventLabels: Record<ChangeRequestEventKind, string> = {
  opened: 'opened the request',
  added: 'added',
  commented: 'commented',
  targetChanged: 'The target changed, and the plan was worked out again:',
  approved: 'approved the request',
  declined: 'declined the request',
  withdrawn: 'withdrew the request',
  expired: 'The request expired without a decision.',
  carriedOut: 'All changes were applied.',
  carriedOutWithFailures: 'Some changes were not applied.',
}

/** The subject of a notification. */
const noticeLabels: Record<string, string> = {
  'changeRequest.opened': 'Request opened',
  'changeRequest.approved': 'Request approved',
  'changeRequest.declined': 'Request declined',
  'changeRequest.expired': 'Request expired',
  'breakGlass.started': 'Break-glass started',
  'breakGlass.ended': 'Break-glass ended',
  'twoPersonApproval.changed': 'Approval settings changed',
}

export const noticeLabel = (event: string) => noticeLabels[event] ?? event

/** "JN" for Jana Novak. */
export function initials(name: string): string {
  const words = name.replace(/\(.*$/, '').trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => word?.charAt(0) ?? '')
    .join('')
    .toUpperCase()
}

/** The outcome of a request that was approved, and why it failed if it did. */
export function outcomeToast(request: ChangeRequestDetail): Toast {
  const { number, state, outcomes, approved } = request
  const name = `Change request ${number}`
  if (state === 'carriedOut') return { tone: 'ok', text: `${name} applied` }
  if (state === 'waiting') return { tone: 'bad', text: `${name} was not applied. It waits for approval again.` }
  const failed = outcomes.find((outcome) => outcome.state === 'failed')
  const unknown = outcomes.find((outcome) => outcome.state === 'unknown')
  const first = failed ?? unknown ?? outcomes.find((outcome) => outcome.state !== 'done')
  const done = outcomes.filter((outcome) => outcome.state === 'done').length
  const parts = [
    `${name} ${failed || !unknown ? 'failed' : 'may have failed'}: ${done} of ${counted(outcomes.length, 'change')} done.`,
  ]
  if (first?.reason !== undefined) {
    const record = approved?.changes.find(({ key }) => key === first.key)?.name
    parts.push(record === undefined ? first.reason : `${record}: ${first.reason}`)
  }
  return { tone: failed || !unknown ? 'bad' : 'unknown', text: parts.join(' ') }
}
