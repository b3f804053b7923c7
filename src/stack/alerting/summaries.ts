/** One summary stands for many groups that fire in the same pass, and one more when all of them are resolved. */
import type { AlertEvent } from '#domain/alerting/alertEvent.ts'
import { maxSingleGroups } from '#domain/alerting/summary.ts'
import type { NotifiedEvent } from '#domain/alerting/notification/notified.ts'
import { readRow, tolerant } from '#node/database/damagedRows.ts'
import type { Queries } from '../store/store.ts'
import { deliveryRows } from './deliveryRows.ts'

/** Groups of a summary that are kept by name. */
const maxNamed = 100

/**
 * The events to send. The end of a group is sent like its firing: by itself, or with the summary once all groups of the
 * summary are resolved.
 */
export async function withSummaries(
  transaction: Queries,
  alertId: string,
  events: readonly AlertEvent[],
): Promise<NotifiedEvent[]> {
  const firing = events.filter(({ state, group }) => state === 'ALERT' && group !== null)
  const isMany = firing.length > maxSingleGroups
  const known = await readSummary(transaction, alertId)
  if (!isMany && !known) return [...events]
  const summary = isMany ? extended(known, firing) : known
  const single = isMany ? events.filter((event) => !firing.includes(event)) : events
  const resolved = single.filter(({ state, groupKey }) => state === 'OK' && summary?.open.has(groupKey))
  for (const { groupKey } of resolved) summary?.open.delete(groupKey)
  const announced = resolved.length > 0 ? await deliveryRows.openGroups(transaction, alertId) : new Set<string>()
  const isOver = summary !== null && summary.open.size === 0
  await writeSummary(transaction, alertId, isOver ? null : summary)
  return [
    ...(isMany ? [summaryEvent(alertId, firing, firing.map(keyOf))] : []),
    ...single.filter((event) => !resolved.includes(event) || announced.has(event.groupKey)),
    ...(isOver ? [summaryEvent(alertId, resolved, [...summary.all])] : []),
  ]
}

const keyOf = ({ groupKey }: AlertEvent) => groupKey

function summaryEvent(alertId: string, events: readonly AlertEvent[], groups: readonly string[]): NotifiedEvent {
  const cause = events[0]?.cause
  return {
    alertId,
    // At the end of a silence, its key differs from that of the summary that was sent before the silence.
    ...(cause && events.every((event) => event.cause === cause) && { cause }),
    ...(events[0]?.clockSetBack && { clockSetBack: events[0].clockSetBack }),
    state: events[0]?.state ?? 'OK',
    groupKey: '',
    group: null,
    groups: groups.slice(0, maxNamed),
    groupCount: groups.length,
    value: Math.max(...events.map(({ value }) => value)),
    start: Math.min(...events.map(({ start }) => start)),
    end: Math.max(...events.map(({ end }) => end)),
  }
}

interface Summary {
  /** All groups that it stands for. */
  all: Set<string>
  /** The groups that still fire. */
  open: Set<string>
}

function extended(known: Summary | null, firing: readonly AlertEvent[]): Summary {
  const keys = firing.map(keyOf)
  return { all: new Set([...(known?.all ?? []), ...keys]), open: new Set([...(known?.open ?? []), ...keys]) }
}

/** Null if there is none, or if it is damaged: its groups are announced one by one then. */
async function readSummary(queries: Queries, alertId: string): Promise<Summary | null> {
  const [row] = await queries.rows('SELECT all_groups, open_groups FROM alert_summaries WHERE alert_id = ?', [alertId])
  if (!row) return null
  // `writeSummary` wrote lists of names.
  const names = (column: string) => new Set(JSON.parse(String(row[column])) as string[])
  const read = () => ({ all: names('all_groups'), open: names('open_groups') })
  return tolerant(() => readRow('alert_summaries', alertId, read)) ?? null
}

async function writeSummary(queries: Queries, alertId: string, summary: Summary | null): Promise<void> {
  if (!summary) {
    await queries.run('DELETE FROM alert_summaries WHERE alert_id = ?', [alertId])
    return
  }
  await queries.run(
    `INSERT INTO alert_summaries (alert_id, all_groups, open_groups) VALUES (?, ?, ?)
     ON CONFLICT (alert_id) DO UPDATE SET all_groups = excluded.all_groups, open_groups = excluded.open_groups`,
    [alertId, JSON.stringify([...summary.all]), JSON.stringify([...summary.open])],
  )
}
