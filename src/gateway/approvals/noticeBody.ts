/** The body of a notification about approvals: JSON, or a message of Slack where the URL is Slack's. */
import { payloadOf } from '#domain/alerting/notification/payloads.ts'
import { capitalized } from '#domain/text/words.ts'
import { receiverKindOf } from '#domain/alerting/receivers/receiverKinds.ts'

export type NoticeEvent =
  | `changeRequest.${'opened' | 'approved' | 'declined' | 'expired'}`
  | `breakGlass.${'started' | 'ended'}`
  | 'twoPersonApproval.changed'
  | 'test'

export interface Notice {
  event: NoticeEvent
  at: string
  connection: { id: string; name: string; stage: string }
  /** The person or token that did it; absent for events that happen by themselves. */
  actor?: string | undefined
  /** The person's comment on it. */
  reason?: string | undefined
  request?: { number: number; title: string; requester: string } | undefined
  /** Where to look at it. */
  link: string
}

/** @returns JSON text, in which texts that people entered are never markup */
export function noticeBody(notice: Notice, url: string): string {
  const sentence = sentenceOf(notice)
  if (receiverKindOf({ service: 'generic', url }) !== 'slack') return JSON.stringify({ ...notice, text: sentence })
  const { link, reason = '' } = notice
  return payloadOf('slack', null, { title: escapeMarkup(sentence), body: escapeMarkup(reason), link })
}

function sentenceOf({ event, actor = 'Somebody', connection: { name }, request }: Notice): string {
  const what = request ? `change request ${request.number}, ${request.title}` : ''
  switch (event) {
    case 'changeRequest.opened':
      return `${actor} asks for approval on ${name}: ${what}`
    case 'changeRequest.approved':
      return `${actor} approved ${what}, on ${name}`
    case 'changeRequest.declined':
      return `${actor} declined ${what}, on ${name}`
    case 'changeRequest.expired':
      return `${capitalized(what)}, on ${name}, expired without a decision`
    case 'breakGlass.started':
      return `Break-glass: ${actor} changes ${name} without approval for 15 minutes`
    case 'breakGlass.ended':
      return `The break-glass of ${actor} on ${name} ended`
    case 'twoPersonApproval.changed':
      return `${actor} changed the approval settings of ${name}`
    case 'test':
      return `Test of the notifications of ${name}`
  }
}

/** Characters that Slack reads as markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
