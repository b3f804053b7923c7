/** Renders a notification: title, message, link and the body of the request. Pure, so that stack and preview agree. */
import {
  comparatorOf,
  defaultTitle,
  groupCountOf,
  linkOf,
  thresholdMaxOf,
  timeRange,
  valueSentence,
} from './messageParts.ts'
import { takeMentions, unmarked, type Mention } from './mentions.ts'
import type { NotificationInput, NotifiedEvent } from './notified.ts'
import { payloadOf, type PayloadVariables } from './payloads.ts'
import { cutMarkup } from './cutText.ts'
import { escape, escapeCode, escapingOf, type Escaping } from './escaping.ts'
import { sampleBlock } from './samples.ts'
import { renderMessage, renderTitle, TemplateError } from './templates.ts'
import { groupOf, templateView } from './templateView.ts'

export interface Notification {
  title: string
  message: string
  link: string
  /** The body of the request; null if its template cannot be rendered. */
  payload: string | null
  mentions: Mention[]
  /** Problems of the templates, one sentence each. */
  problems: string[]
}

const maxTitle = 1000
const maxMessage = 20_000
/** Names of groups that a summary lists. */
const maxListedGroups = 20

/**
 * A name or message that cannot be rendered does not stop the notification: the default title is used, and the message says
 * what is wrong.
 */
export function renderNotification(input: NotificationInput): Notification {
  const problems: string[] = []
  const escaping = escapingOf(input.service, input.body)
  const view = templateView(input)
  const title = titleOf(input, view, escaping, problems)
  const { text: note, mentions } = renderedMessage(input, view, escaping, problems)
  const message = cutMarkup(brokenLines(messageOf(input, note, escaping), escaping), maxMessage)
  const link = linkOf(input.alert, input.event, input.consoleUrl)
  const payload = payloadFor(input, escaping, { title, body: message, link }, problems)
  return { title, message, link, payload, mentions, problems }
}

const symbols: Record<NotifiedEvent['state'], string> = { ALERT: '🚨 ', OK: '✅ ', INSUFFICIENT_DATA: '' }

function titleOf(input: NotificationInput, view: object, escaping: Escaping, problems: string[]): string {
  const { alert, event, watched } = input
  const text = attempt('Title', problems, () => (alert.name ? renderTitle(alert.name, view, escaping) : ''))
  const plain = (text ?? '').trim() || escape(defaultTitle(alert, event, watched), escaping)
  return cutMarkup((event.test ? testMark : symbols[event.state]) + plain, maxTitle)
}

const testMark = 'Test: '

/** The beginning of a test's message. */
function testLine({ test, state }: NotifiedEvent): string[] {
  if (!test) return []
  if (state === 'OK') return ['This ends the test of the alert.']
  return [
    `This is a test of the alert, which somebody sent by hand.${test.violates ? '' : ' The alert does not fire at this value.'}`,
  ]
}

/** In a card of Teams, a line only ends where a paragraph does. */
const brokenLines = (text: string, escaping: Escaping): string =>
  escaping === 'teams' ? text.replaceAll(/\n+/g, '\n\n') : text

function renderedMessage({ alert }: NotificationInput, view: object, escaping: Escaping, problems: string[]) {
  const text = attempt('Message', problems, () => renderMessage(alert.message ?? '', view, escaping))
  return takeMentions(text ?? escape(problems.at(-1) ?? '', escaping))
}

function messageOf({ alert, event, samples, inUnit }: NotificationInput, note: string, escaping: Escaping): string {
  const group = groupOf(event)
  const lines = [
    ...testLine(event),
    ...(group === '' ? [] : [`Group: "${escape(group, escaping)}"`]),
    ...(event.groups ? groupList(event).map((line) => escape(line, escaping)) : []),
    ...(event.state === 'OK'
      ? event.test
        ? []
        : ['The alert has been resolved.']
      : event.groups
        ? []
        : [escape(valueSentence(alert, event), escaping)]),
    timeRange(event),
    // Beside the sentence, which has plain numbers on all deployments.
    ...(inUnit && event.state !== 'OK' && !event.groups
      ? [escape(`Value: ${inUnit.value}, threshold: ${inUnit.threshold}`, escaping)]
      : []),
    ...(note.trim() === '' ? [] : [note.trim()]),
  ]
  const block =
    event.state === 'ALERT'
      ? sampleBlock(
          samples.map((line) => escapeCode(line, escaping)),
          escaping !== 'teams',
        )
      : ''
  return lines.join('\n') + unmarked(block)
}

function groupList(event: NotifiedEvent): string[] {
  const { groups = [] } = event
  const listed = groups.slice(0, maxListedGroups).map((group) => `- ${unmarked(group)}`)
  const count = groupCountOf(event)
  const more = count - listed.length
  return [`${count} groups:`, ...listed, ...(more > 0 ? [`and ${more} more`] : [])]
}

const alertTypes: Record<string, string> = { saved_search: 'search', tile: 'dashboard_chart', inline: 'inline_query' }
const statuses: Record<NotifiedEvent['state'], string> = {
  ALERT: 'firing',
  OK: 'resolved',
  INSUFFICIENT_DATA: 'no_data',
}

/** The variables of body templates: those of all deployments, then those of newer ones. */
function payloadVariables(
  { alert, event, watched, eventId }: NotificationInput,
  escaping: Escaping,
  texts: Pick<PayloadVariables, 'title' | 'body' | 'link'>,
): PayloadVariables {
  return {
    ...texts,
    state: event.state,
    startTime: event.start,
    endTime: event.end,
    eventId,
    alertId: alert.id,
    status: statuses[event.state],
    alertType: alertTypes[alert.source] ?? alert.source,
    comparator: comparatorOf(alert.thresholdType),
    threshold: alert.threshold,
    thresholdMax: thresholdMaxOf(alert),
    value: event.value,
    // A body may have it in any place, so only Markdown is kept from it.
    groupKey: escaping === 'slack' ? groupOf(event) : escape(groupOf(event), escaping),
    sourceQuery: watched.query,
    teamId: alert.teamId,
    note: alert.note ?? undefined,
    startTimeISO: new Date(event.start).toISOString(),
    endTimeISO: new Date(event.end).toISOString(),
  }
}

function payloadFor(
  input: NotificationInput,
  escaping: Escaping,
  texts: Pick<PayloadVariables, 'title' | 'body' | 'link'>,
  problems: string[],
): string | null {
  return attempt('Body', problems, () => payloadOf(input.service, input.body, payloadVariables(input, escaping, texts)))
}

/** The result; null and a problem if a template is at fault. */
function attempt(part: string, problems: string[], render: () => string): string | null {
  try {
    return render()
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    problems.push(`${part} template: ${error.message}`)
    return null
  }
}
