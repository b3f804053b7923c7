/** Tools that read alerts, what became of them, and what other conditions would have done. */
import { z } from 'zod'
import { thresholdTypes, type Alert } from '#contract/stack/alerts.ts'
import type { AlertEvaluation } from '#contract/stack/alertHistory.ts'
import { api } from '#contract/index.ts'
import { backtest } from '#domain/alerting/backtest.ts'
import type { WindowValues } from '#domain/alerting/evaluateWindow.ts'
import { windowLength } from '#domain/alerting/schedule.ts'
import { thresholdProblem } from '#domain/alerting/threshold.ts'
import { ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import { offered, type AgentGateway } from '../exchange/agentGateway.ts'
import { connection, idOf, isoTime, timeRange, tool } from './tool.ts'

/** Windows of one page, and pages, that a backtest reads. */
const pageSize = 200
const maxPages = 10

const alertId = idOf('alert', 'list_alerts')

export const alertTools = [
  tool({
    name: 'list_alerts',
    kind: 'read',
    title: 'List alerts',
    description:
      'Lists the alerts of a connection with their state (ALERT fires), condition and silence. Read one of them for all of its fields.',
    input: z.strictObject({
      connection,
      state: z
        .enum(['ALERT', 'OK', 'PENDING', 'INSUFFICIENT_DATA', 'DISABLED'])
        .optional()
        .describe('Only alerts in this state.'),
    }),
    run: async (gateway, input) => {
      const all = await gateway.read(input.connection, api.alerts.list, {})
      return all.filter(({ state }) => input.state === undefined || state === input.state).map(summary)
    },
  }),
  tool({
    name: 'read_alert',
    kind: 'read',
    title: 'Read an alert',
    description:
      'Reads one alert with all of its fields, as update_alert takes them, and its revision. interval is the length of a window; thresholdType above means at least.',
    input: z.strictObject({ connection, alertId }),
    // Groups that are silenced, and errors of its evaluation, quote what is observed.
    isTelemetry: true,
    run: (gateway, { connection: id, alertId }) => gateway.readRecord(id, api.alerts.get, { params: { alertId } }),
  }),
  tool({
    name: 'read_alert_history',
    kind: 'read',
    title: 'Read the history of an alert',
    description:
      'Reads when an alert began and ceased to fire in a range, and its newest evaluated windows with their values and groups. Not every deployment offers both; missing says which one, and why.',
    input: z.strictObject({
      connection,
      alertId,
      ...timeRange('now-24h'),
      windows: z.int().min(0).max(100).default(20).describe('Newest evaluated windows, 0 to 100.'),
    }),
    isTelemetry: true,
    run: async (gateway, { connection: id, alertId, from, to, windows }) => {
      const range = { startTime: from, endTime: to }
      const read = { params: { alertId }, query: range }
      const crossings = await offered(gateway.read(id, api.alerts.history, read))
      if (windows === 0 && crossings instanceof ApiFailure) throw crossings
      if (windows === 0) return { crossings }
      const newest = await offered(newestWindows(gateway, id, { ...read, query: { ...range, limit: windows } }))
      const missing = [crossings, newest].filter((answer) => answer instanceof ApiFailure)
      if (missing[0] && missing.length === 2) throw missing[0]
      return {
        ...(!(crossings instanceof ApiFailure) && { crossings }),
        ...(!(newest instanceof ApiFailure) && newest),
        ...(missing[0] && { missing: missing[0].error.message }),
      }
    },
  }),
  tool({
    name: 'backtest_alert',
    kind: 'read',
    title: 'Backtest an alert',
    description:
      'Replays the evaluated windows of an alert, at most 2,000 of them, with its own condition or another one: how often and how long it would have fired, and the number of messages for each channel. Values are those that were recorded at the evaluations, of at most 50 groups for each window.',
    input: z.strictObject({
      connection,
      alertId,
      ...timeRange('now-7d'),
      threshold: z.number().optional().describe('Another threshold, in the unit of the watched value.'),
      thresholdMax: z.number().optional().describe('The upper end, for between and not_between.'),
      thresholdType: z.enum(thresholdTypes).optional(),
      numConsecutiveWindows: z
        .int()
        .min(1)
        .max(1000)
        .optional()
        .describe('Windows in a row that must violate the threshold.'),
    }),
    isTelemetry: true,
    run: async (gateway, { connection: id, alertId, from, to, ...other }) => {
      const alert = await gateway.read(id, api.alerts.get, { params: { alertId } })
      const condition = {
        threshold: other.threshold ?? alert.threshold,
        thresholdMax: other.thresholdMax ?? alert.thresholdMax,
        thresholdType: other.thresholdType ?? alert.thresholdType,
        numConsecutiveWindows: other.numConsecutiveWindows ?? alert.numConsecutiveWindows,
      }
      const problem = thresholdProblem(condition)
      if (problem !== null) throw failure('invalid', problem)
      const { windows, isCut } = await readWindows(gateway, id, alert, { from, to })
      const grouped = windows.some(({ values }) => values.some(({ key }) => key !== ''))
      const { firings, firingMs, messages } = backtest({ alertId, grouped, ...condition }, windows)
      return {
        condition: { ...condition, interval: alert.interval },
        windows: windows.length,
        ...(windows[0] && { firstWindow: isoTime(windows[0].start) }),
        ...(isCut && { note: 'Older windows of the range were not read. Choose a shorter range.' }),
        firings: firings.length,
        firingMinutes: Math.round(firingMs / 60_000),
        messagesForEachChannel: messages.length,
        newestFirings: firings.slice(-20).map(({ groupKey, firedAt, end, stillFiring, peak }) => ({
          group: groupKey,
          firedAt: isoTime(firedAt),
          ...(stillFiring ? { stillFiring } : { resolvedAt: isoTime(end) }),
          peak,
        })),
      }
    },
  }),
]

/** The newest evaluated windows of a range, and where they come from if not from the API. */
async function newestWindows(
  gateway: AgentGateway,
  connectionId: string,
  { params, query }: { params: { alertId: string }; query: { startTime: number; endTime: number; limit: number } },
): Promise<{ newestWindows: AlertEvaluation[]; origin?: string }> {
  const { record, origin } = await gateway.readRecord(connectionId, api.alerts.evaluations, { params, query })
  const { items } = api.alerts.evaluations.result.parse(record)
  return { newestWindows: items.slice(0, query.limit), ...(origin !== undefined && { origin }) }
}

function summary({ id, name, state, threshold, thresholdMax, thresholdType, interval, source, ...alert }: Alert) {
  const { dashboardId, tileId, savedSearchId, silenced, acknowledged } = alert
  return {
    id,
    name,
    state,
    condition: { thresholdType, threshold, thresholdMax: thresholdMax ?? undefined, interval },
    watches: source === 'tile' ? { dashboardId, tileId } : { savedSearchId },
    ...(silenced && { silencedUntil: silenced.until }),
    ...(acknowledged && { acknowledgedBy: acknowledged.by }),
  }
}

/** The evaluated windows of a range, oldest first. */
async function readWindows(
  gateway: AgentGateway,
  connectionId: string,
  alert: Alert,
  { from, to }: { from: number; to: number },
): Promise<{ windows: WindowValues[]; isCut: boolean }> {
  const found: AlertEvaluation[] = []
  let before: number | undefined
  for (let page = 0; page < maxPages; page++) {
    const query = { startTime: from, endTime: to, limit: pageSize, before }
    const input = { params: { alertId: alert.id }, query }
    const { record, origin } = await gateway.readRecord(connectionId, api.alerts.evaluations, input)
    // A few windows of a tool, whose values are not told apart by group.
    if (origin !== undefined) throw failure('notOffered', 'This deployment has too few evaluations for a backtest.')
    const read = api.alerts.evaluations.result.parse(record)
    found.push(...read.items)
    before = read.nextBefore
    if (!read.hasMore || before === undefined) return { windows: windowsOf(found, alert), isCut: false }
  }
  return { windows: windowsOf(found, alert), isCut: true }
}

/** Windows that could not be read have no values, and are left out. */
function windowsOf(evaluations: readonly AlertEvaluation[], alert: Alert): WindowValues[] {
  const length = windowLength(alert) ?? 60_000
  return evaluations
    .filter(({ state }) => state !== 'ERROR' && state !== 'INSUFFICIENT_DATA')
    .map((evaluation) => ({
      start: Date.parse(evaluation.createdAt) - length,
      end: Date.parse(evaluation.createdAt),
      values: valuesOf(evaluation),
    }))
    .toReversed()
}

function valuesOf({ groups, lastValues, noRows }: AlertEvaluation): WindowValues['values'] {
  if (groups?.length)
    return groups.map((group) => ({ key: group.group, group: null, value: group.lastValue ?? group.counts }))
  const last = lastValues.at(-1)
  return last === undefined || noRows ? [] : [{ key: '', group: null, value: last.count }]
}
