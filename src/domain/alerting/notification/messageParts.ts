/** The parts of a notification that need no template: sentences, numbers, times and the link. */
import { withoutEnd } from '#domain/text/withoutEnd.ts'
import { intervalMinutes } from '#contract/stack/alerts.ts'
import type { NotifiedAlert, NotifiedEvent, Watched } from './notified.ts'

interface Comparison {
  /** The symbol in the `comparator` variable. */
  symbol: string
  phrase: string
  /** The type whose phrase says that the alert is resolved. */
  inverse: string
}

const comparisons: Record<string, Comparison> = {
  above: { symbol: '>=', phrase: 'meets or exceeds', inverse: 'below' },
  above_exclusive: { symbol: '>', phrase: 'exceeds', inverse: 'below_or_equal' },
  below: { symbol: '<', phrase: 'falls below', inverse: 'above' },
  below_or_equal: { symbol: '<=', phrase: 'falls to or below', inverse: 'above_exclusive' },
  equal: { symbol: '=', phrase: 'equals', inverse: 'not_equal' },
  not_equal: { symbol: '!=', phrase: 'does not equal', inverse: 'equal' },
  between: { symbol: 'between', phrase: 'falls between', inverse: 'not_between' },
  not_between: { symbol: 'outside', phrase: 'falls outside', inverse: 'between' },
}

export function comparatorOf(thresholdType: string): string {
  return comparisons[thresholdType]?.symbol ?? thresholdType
}

/** The upper threshold, which only ranges have. */
export function thresholdMaxOf({ thresholdType, thresholdMax }: NotifiedAlert): number | undefined {
  const isRange = thresholdType === 'between' || thresholdType === 'not_between'
  return isRange && thresholdMax != null ? thresholdMax : undefined
}

/** The title without its symbol, for an alert without a name. */
export function defaultTitle(alert: NotifiedAlert, event: NotifiedEvent, watched: Watched): string {
  if (event.groups) return `Alert for ${watchedLabel(watched)} - ${groupCountOf(event)} groups`
  if (alert.source === 'saved_search') return `Alert for ${watchedLabel(watched)} - ${event.value} lines found`
  return `Alert for ${watchedLabel(watched)} - ${outcome(alert, event)}`
}

/** The number of groups of a summary. */
export function groupCountOf({ groups = [], groupCount = groups.length }: NotifiedEvent): number {
  return groupCount
}

function watchedLabel({ name, dashboard }: Watched): string {
  return dashboard === undefined ? `"${name}"` : `"${name}" in "${dashboard}"`
}

/** The sentence with the value, such as `12 exceeds 10`. */
export function valueSentence(alert: NotifiedAlert, event: NotifiedEvent): string {
  if (alert.source !== 'saved_search') return outcome(alert, event)
  return `${event.value} lines found, which ${phraseOf(alert, event)} the threshold of ${thresholdText(alert)} lines`
}

function outcome(alert: NotifiedAlert, event: NotifiedEvent): string {
  return `${roundedLike(event.value, alert.threshold)} ${phraseOf(alert, event)} ${thresholdText(alert)}`
}

function phraseOf({ thresholdType }: NotifiedAlert, { state, test }: NotifiedEvent): string {
  const fired = comparisons[thresholdType]
  const told = state === 'OK' || test?.violates === false ? comparisons[fired?.inverse ?? ''] : fired
  return told?.phrase ?? thresholdType
}

function thresholdText(alert: NotifiedAlert): string {
  const max = thresholdMaxOf(alert)
  return max === undefined ? String(alert.threshold) : `${alert.threshold} and ${max}`
}

/** A value with as many decimals as the threshold. */
function roundedLike(value: number, threshold: number): string {
  const [, decimals = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(threshold)) ?? []
  const places = Math.max(0, decimals.length - Number(exponent))
  return Number.isFinite(value) ? value.toFixed(Math.min(places, 20)) : String(value)
}

/** The window of the event as deployments write it: UTC, without a year. */
export function timeRange({ start, end }: NotifiedEvent): string {
  return `Time Range (UTC): [${formatTime(start)} - ${formatTime(end)})`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Such as `Nov 5 1:04:09 PM`. */
function formatTime(moment: number): string {
  const date = new Date(moment)
  const hours = date.getUTCHours()
  const two = (value: number) => String(value).padStart(2, '0')
  const clock = `${hours % 12 || 12}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()} ${clock} ${hours < 12 ? 'AM' : 'PM'}`
}

/** Windows that a link shows before and after the window of the event. */
const windowsAround = 7

/** The page of what the alert watches, at the time of the event. */
export function linkOf(alert: NotifiedAlert, { start, end }: NotifiedEvent, consoleUrl: string): string {
  const around = windowsAround * (intervalMinutes(alert.interval) ?? 1) * 60_000
  const range = { from: String(start - around), to: String(end + around) }
  const isSearch = alert.source === 'saved_search'
  const path = isSearch ? `search/${alert.savedSearchId ?? ''}` : `dashboards/${alert.dashboardId ?? ''}`
  const query: Record<string, string> = isSearch
    ? { ...range, isLive: 'false' }
    : { from: range.from, granularity: alert.interval, to: range.to, highlightedTileId: alert.tileId ?? '' }
  return `${withoutEnd(consoleUrl, /\//)}/${path}?${queryText(query)}`
}

function queryText(query: Record<string, string>): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}
