/** The silences of an alert: what is in effect, and what the form sends. */
import { z } from 'zod'
import { isSilenced, readRecurrence } from '#domain/alerting/silence.ts'
import type { Alert, alerts } from '#contract/stack/alerts.ts'
import type { Input } from '#contract/wire/kernel.ts'
import type { Zone } from '#domain/time/zone.ts'
import { recurrenceOf } from './weekly.ts'

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
  const times = recurring && { recurring: readRecurrence(recurring) }
  return isSilenced([{ until: until === undefined ? Infinity : Date.parse(until), ...times }], '', now)
}

/** The lengths that one click gives, in minutes. */
export const silenceLengths = [
  { value: '30', label: '30 minutes' },
  { value: '60', label: '1 hour' },
  { value: '360', label: '6 hours' },
  { value: '1440', label: '24 hours' },
] as const

export const silenceSchema = z
  .object({
    /** Minutes, or one of the two ways to choose the times. */
    length: z.enum([...silenceLengths.map(({ value }) => value), 'date', 'weekly']),
    /** ISO text; for `date` and `weekly`. */
    until: z.string(),
    /** The key of a group; empty for the whole alert. */
    group: z.string(),
    reason: z.string().trim().max(512),
    /** Days and start by the clock of the page's time zone; 0 is Sunday. */
    weekdays: z.array(z.number()).readonly(),
    start: z.string(),
    /** The length of a maintenance window. */
    minutes: z.number().nullable(),
  })
  .superRefine((form, context) => {
    for (const { field, message } of silenceProblems(form, Date.now())) {
      context.addIssue({ code: 'custom', path: [field], message })
    }
  })
export type SilenceForm = z.infer<typeof silenceSchema>

export const emptySilence: SilenceForm = {
  length: '60',
  until: '',
  group: '',
  reason: '',
  weekdays: [],
  start: '22:00',
  minutes: 60,
}

type SilenceBody = Input<typeof alerts.silence>['body']

/** The problems of the form. */
export function silenceProblems(form: SilenceForm, now: number): { field: keyof SilenceForm; message: string }[] {
  const { length, weekdays, start, minutes } = form
  const problems: { field: keyof SilenceForm; message: string }[] = []
  if (length === 'weekly') {
    if (weekdays.length === 0) problems.push({ field: 'weekdays', message: 'Choose at least one weekday.' })
    if (!/^\d\d:\d\d$/.test(start))
      problems.push({ field: 'start', message: 'Enter the start as hours and minutes, such as 22:30.' })
    if (!Number.isInteger(minutes) || Number(minutes) < 1 || Number(minutes) > 1440)
      problems.push({ field: 'minutes', message: 'Enter a length of 1 to 1440 minutes.' })
  }
  const until = endOf(form, now)
  if (Number.isNaN(until)) problems.push({ field: 'until', message: 'Choose when the silence ends.' })
  else if (until <= now) problems.push({ field: 'until', message: 'The end must be in the future.' })
  return problems
}

/** Epoch milliseconds; NaN if it is not chosen yet. */
function endOf({ length, until }: SilenceForm, now: number): number {
  return length === 'date' || length === 'weekly' ? Date.parse(until) : now + Number(length) * 60_000
}

/** The body that a form without problems sends, which was filled in by the clock of the zone. */
export function silenceBody(form: SilenceForm, zone: Zone, now: number): SilenceBody {
  const { length, group, reason } = form
  return {
    mutedUntil: new Date(endOf(form, now)).toISOString(),
    ...(reason && { reason }),
    ...(group && { group }),
    ...(length === 'weekly' && { recurring: recurrenceOf(form, zone) }),
  }
}

/** "Silenced", "Silenced, 2 groups", "Maintenance window planned"; null without a silence. */
export function silenceChip(silences: readonly ShownSilence[]): string | null {
  const active = silences.filter(({ inEffect }) => inEffect)
  if (active.some(({ group }) => group === undefined)) return 'Silenced'
  if (active.length > 0) return `Silenced: ${active.length} ${active.length === 1 ? 'group' : 'groups'}`
  return silences.length > 0 ? 'Maintenance window planned' : null
}
