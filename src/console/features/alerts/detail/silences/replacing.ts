/** The effect of a new silence on the one in force: an alert or a group has only one. */
import { startsOf } from '#domain/alerting/silence.ts'
import { visibleSentence } from '#domain/text/visibleText.ts'
import type { Zone } from '#domain/time/zone.ts'
import { silenceOf } from '#console/records/alerts/alertStates.ts'
import { formatRecent } from '#console/ui/time/formatRecent.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import type { SilenceForm } from './silences.ts'
import { formatRecurrence, recurrenceOf } from './weekly.ts'

type Silence = NonNullable<ReturnType<typeof silenceOf>>

const reasonOf = ({ reason }: Silence) => (reason ? ` (reason: ${visibleSentence(reason)})` : '')
const endOf = ({ until }: Silence, zone: Zone, now: number) =>
  until ? ` until ${formatRecent(Date.parse(until), now, zone)}` : ''

/** The silence that sending the form ends, before it does; null if nothing. */
export function formatReplaced(alert: Alert, form: SilenceForm, zone: Zone, now: number): string | null {
  const replaced = silenceOf(alert, form.group || undefined, now)
  if (!replaced) return null
  const { recurring } = replaced
  if (recurring) {
    const window = formatRecurrence(recurring, zone, now, Date.parse(replaced.until ?? '') || Infinity)
    return form.length === 'weekly'
      ? `This replaces the maintenance window${reasonOf(replaced)}: ${window}.`
      : `This replaces the maintenance window${reasonOf(replaced)}, which does not come back when the silence ends: ${window}.`
  }
  const silence = `This replaces the silence that is in effect${endOf(replaced, zone, now)}${reasonOf(replaced)}`
  return form.length === 'weekly' && isOutside(form, zone, now)
    ? `${silence}: notifications are sent again until the window begins.`
    : `${silence}.`
}

/** Whether no window is open at this time. A form without days has none. */
function isOutside(form: SilenceForm, zone: Zone, now: number): boolean {
  return startsOf(recurrenceOf(form, zone), now - Number(form.minutes) * 60_000 + 1, now + 1).length === 0
}

/** A change by somebody else while the form was open, with advice. */
export function formatMeanwhile(now: Alert['silenced'], action: string, zone: Zone): string {
  if (!now)
    return `Somebody else ended the silence meanwhile. Nothing was saved. Choose “${action}” again to set a new one.`
  const reason = now.reason ? `, reason: ${visibleSentence(now.reason)}` : ''
  return `Somebody else set a silence${endOf(now, zone, Date.now())} meanwhile${reason}. Nothing was saved. Choose “${action}” again to replace it.`
}
