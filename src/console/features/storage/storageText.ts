/** Figures of the storage page in words: sizes, when the disk will be full, and what a shorter retention deletes. */
import type { SignalStorage, StorageReport, StoredDay, TableStorage } from '#contract/stack/storage.ts'
import { formatValue } from '#domain/charts/units.ts'
import { forecast, type Forecast } from '#domain/storage/forecast.ts'
import { counted } from '#domain/text/words.ts'

export const formatBytes = (bytes: number): string => formatValue(bytes, 'bytes')

export const signalTitles: Readonly<Record<string, string>> = { logs: 'Logs', traces: 'Traces', metrics: 'Metrics' }

const partTitles: Readonly<Record<string, string>> = {
  records: 'Records of the stack: dashboards, alerts and their history',
  console: 'Records of the console: people, connections, history of records',
  backups: 'Backups',
  engine: 'Engine beside telemetry: databases of services, replaced parts, metadata',
  sample: 'Staging environment of the sample',
  reserve: 'Reserve for records while the disk is full',
  files: 'Files of data pipes',
  other: 'Other files',
}

export const formatPart = (part: string): string => partTitles[part] ?? part

/** The bytes of all rows together. */
export const bytesOf = (rows: readonly { bytes: number }[]): number => rows.reduce((sum, { bytes }) => sum + bytes, 0)

/** How many times the rows are larger than what is on the disk for them. */
export function formatRatio({ bytes, uncompressedBytes }: TableStorage): string {
  return bytes === 0 ? '' : `${formatValue(Number((uncompressedBytes / bytes).toPrecision(2)))} : 1`
}

/**
 * When the disk will be full: null before a whole day was stored, undefined where it cannot be forecast because the
 * deployment reports no stored days, or nothing about the disk.
 */
export function forecastOf({ signals, disk }: StorageReport, now: number): Forecast | null | undefined {
  const series = signals.flatMap(({ days, retentionDays }) => (days ? [{ days, retentionDays }] : []))
  return disk && series.length > 0 ? forecast(series, disk.freeBytes, now) : undefined
}

export function forecastSentence(found: Forecast | null): string {
  if (!found) return 'How fast it fills is known once a whole day has been stored.'
  const { fullIn, earliest, latest, rate, steadyBytes } = found
  const pace = `${rate.days === 1 ? 'The last day took' : `The last ${rate.days} days took on average`} ${formatBytes(rate.mean)}`
  if (earliest === null) {
    return `${pace}. At this rate the disk does not get full: retention keeps telemetry at about ${formatBytes(steadyBytes)}.`
  }
  const range = rate.least === rate.most ? '' : `, from ${formatBytes(rate.least)} to ${formatBytes(rate.most)}`
  if (fullIn === null) {
    return `${pace}${range}. At this rate the disk does not get full: retention keeps telemetry at about ${formatBytes(steadyBytes)}. If every day were like the largest one, it would be full in ${counted(earliest, 'day')}.`
  }
  const spread = earliest === latest ? '' : ` (${earliest} ${latest === null ? 'or later, or never' : `to ${latest}`})`
  return `${pace}${range}. At this rate the disk is full in about ${counted(fullIn, 'day')}${spread}.`
}

/** Whether somebody should do something about the disk soon. */
export const isSoon = (found: Forecast | null | undefined): boolean => (found?.fullIn ?? Infinity) <= 30

export function formatDays({ oldestDay, newestDay }: Pick<TableStorage, 'oldestDay' | 'newestDay'>): string {
  if (!oldestDay || !newestDay) return ''
  return oldestDay === newestDay ? oldestDay : `${oldestDay} to ${newestDay}`
}

/** The data that a retention deletes. */
export function deletionSentence(days: readonly StoredDay[], { signal }: Pick<SignalStorage, 'signal'>): string {
  const rows = days.reduce((sum, day) => sum + day.rows, 0)
  const what = `${counted(days.length, 'day')} of ${signal} with ${formatValue(rows)} rows (${formatBytes(bytesOf(days))})`
  const [first] = days
  const last = days.at(-1)
  const span = first && last && first !== last ? `, ${first.day} to ${last.day},` : first ? `, ${first.day},` : ''
  return `${what}${span} will be deleted.`
}
