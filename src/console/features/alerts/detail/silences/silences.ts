/** The silences of an alert: what is in effect, and what the form sends. */
import { isSilenced } from '#domain/alerting/silence.ts'
import type { Alert, alerts } from '#contract/alerts.ts'
import type { Input } from '#contract/kernel.ts'
import { formatRecent } from '#console/ui/time/formatRecent.ts'

type Recurrence = NonNullable<NonNullable<Alert['silenced']>['recurring']>

/** A silence of the whole alert, or of one group of it. */
export interface ShownSilence {
  /** Absent for the whole alert. */
  group?: string
  until: string | undefined
  reason: string | undefined
  /** Who set it, where the deployment says so. */
  by: string | undefined
  recurring: Recurrence | undefined
  /** Nothing is sent at this time. A maintenance window is in effect only in its hours. */
  inEffect: boolean
}

/** The silences of an alert that have not ended, that of the whole alert first. */
export function silencesOf({ silenced, silencedGroups }: Alert, now: number): ShownSilence[] {
  type Any = NonNullable<typeof silenced> & { group?: string; by?: unknown }
  const all: Any[] = [...(silenced ? [silenced] : []), ...(silencedGroups ?? [])]
  return all
    .filter(({ until }) => until === undefined || Date.parse(until) > now)
    .map(({ group, until, reason, recurring, by }) => ({
      ...(group !== undefined && { group }),
      until,
      reason,
      by: typeof by === 'string' ? by : undefined,
      recurring,
      inEffect: isInEffect(until, recurring, now),
    }))
}

function isInEffect(until: string | undefined, recurring: Recurrence | undefined, now: number): boolean {
  const { weekdays = [], startUtc = '00:00', minutes = 0 } = recurring ?? {}
  const times = recurring && { recurring: { weekdays, startUtc, minutes } }
  return isSilenced([{ until: until === undefined ? Infinity : Date.parse(until), ...times }], '', now)
}

/** The lengths that one click gives, in minutes. */
export const silenceLengths = [
  { value: '30', label: '30 minutes' },
  { value: '60', label: '1 hour' },
  { value: '360', label: '6 hours' },
  { value: '1440', label: '24 hours' },
] as const

export const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

export interface SilenceForm {
  /** Minutes, or one of the two ways to choose the times. */
  length: (typeof silenceLengths)[number]['value'] | 'date' | 'weekly'
  /** ISO text; for `date` and `weekly`. */
  until: string
  /** The key of a group; empty for the whole alert. */
  group: string
  reason: string
  /** 0 is Sunday, in UTC. */
  weekdays: readonly number[]
  startUtc: string
  /** Of a maintenance window. */
  minutes: string
}

export const emptySilence: SilenceForm = {
  length: '60',
  until: '',
  group: '',
  reason: '',
  weekdays: [],
  startUtc: '22:00',
  minutes: '60',
}

type SilenceBody = Input<typeof alerts.silence>['body']

/** The body that the form sends, or what is wrong with the form. */
export function silenceBody(form: SilenceForm, now: number): { body: SilenceBody } | { problem: string } {
  const { length, group, reason } = form
  const chosen = length === 'date' || length === 'weekly'
  const until = chosen ? Date.parse(form.until) : now + Number(length) * 60_000
  if (Number.isNaN(until)) return { problem: 'Choose when the silence ends.' }
  if (until <= now) return { problem: 'The end must be in the future.' }
  const recurring = length === 'weekly' ? recurrenceOf(form) : null
  if (recurring && 'problem' in recurring) return recurring
  const text = reason.trim()
  return {
    body: {
      mutedUntil: new Date(until).toISOString(),
      ...(text && { reason: text }),
      ...(group && { group }),
      ...(recurring && { recurring }),
    },
  }
}

type Recurring = NonNullable<SilenceBody['recurring']>

function recurrenceOf({ weekdays, startUtc, minutes }: SilenceForm): Recurring | { problem: string } {
  const length = Number(minutes)
  if (weekdays.length === 0) return { problem: 'Choose at least one weekday.' }
  if (!/^\d\d:\d\d$/.test(startUtc)) return { problem: 'Enter the start as hours and minutes, such as 22:30.' }
  if (!Number.isInteger(length) || length < 1 || length > 1440)
    return { problem: 'Enter a length of 1 to 1440 minutes.' }
  return { weekdays: weekdays.toSorted((a, b) => a - b), startUtc, minutes: length }
}

/** "Mon, Tue 22:30 UTC for 60 min, every week" */
export function formatRecurrence({ weekdays = [], startUtc = '?', minutes }: Recurrence): string {
  const days = weekdays.map((day) => weekdayNames[day] ?? '?').join(', ')
  return `${days} ${startUtc} UTC for ${minutes ?? '?'} min, every week`
}

/** "Silenced", "Silenced, 2 groups", "Maintenance window planned"; null without a silence. */
export function silenceChip(silences: readonly ShownSilence[]): string | null {
  const active = silences.filter(({ inEffect }) => inEffect)
  if (active.some(({ group }) => group === undefined)) return 'Silenced'
  if (active.length > 0) return `Silenced: ${active.length} ${active.length === 1 ? 'group' : 'groups'}`
  return silences.length > 0 ? 'Maintenance window planned' : null
}

/** What somebody else did while the form was open, and what to do now. */
export function formatMeanwhile(now: Alert['silenced'], action: string): string {
  if (!now)
    return `Somebody else ended the silence meanwhile. Nothing was saved. Choose “${action}” again to set a new one.`
  const until = now.until ? ` until ${formatRecent(Date.parse(now.until), Date.now())}` : ''
  const reason = now.reason ? `, reason: ${now.reason}` : ''
  return `Somebody else set a silence${until} meanwhile${reason}. Nothing was saved. Choose “${action}” again to replace it.`
}
