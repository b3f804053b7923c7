/** Texts of evaluated windows. */
import { counted } from '#domain/text/words.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import { formatRecent } from '#console/ui/time/formatRecent.ts'
import { firingGroups, firingSince, type EvaluatedWindow, type StripState } from './evaluatedWindows.ts'

export const stripLabels: Record<StripState, string> = {
  ok: 'OK',
  empty: 'No row matched, counted as 0',
  pending: 'Pending',
  firing: 'Firing',
  unread: 'Not evaluated',
}

/** The state of the window at this place of a list, newest first: "Firing since 19:05". */
export function formatWindowState(windows: readonly EvaluatedWindow[], at: number, now: number): string {
  const window = windows[at]
  if (!window) return ''
  switch (window.state) {
    case 'firing':
      return formatFiring(windows, at, null, now)
    case 'pending':
      return 'Pending'
    case 'unread':
      return window.skipped && window.problem
        ? window.problem
        : `Could not be read: ${window.problem ?? 'no reason was given'}`
    case 'ok':
      return window.noRows ? 'OK, no row matched, counted as 0' : 'OK'
  }
}

/** "Firing since 19:05", "Fired" for the first window of it, "Firing since before 18:05" if it is not known. */
export function formatFiring(windows: readonly EvaluatedWindow[], at: number, key: string | null, now: number): string {
  const firing = firingSince(windows, at, key)
  if (!firing) return 'Firing'
  if (firing.earlier) return `Firing since before ${formatRecent(firing.since, now)}`
  return firing.since === windows[at]?.end ? 'Fired' : `Firing since ${formatRecent(firing.since, now)}`
}

/** "2 of 5"; empty for an alert without groups. */
export function formatFiringGroups(window: EvaluatedWindow): string {
  if (window.groups === null) return ''
  const { count, atLeast } = firingGroups(window)
  return `${atLeast ? 'at least ' : ''}${count} of ${window.groupsTotal}`
}

export const formatWindowValue = (value: number | null, unit: Unit): string =>
  value === null ? 'unknown' : formatValue(value, unit)

/** "29 ms"; "unknown" if the deployment does not report it. */
export const formatReadTime = (milliseconds: number | null): string =>
  milliseconds === null ? 'unknown' : formatValue(Math.max(1, Math.round(milliseconds)), 'ms')

/** "3 other groups" */
export const formatOtherGroups = (count: number): string => counted(count, 'other group')
