/** The subjects of simulated alerts: the same random counts as logs, a saved search, spans, a metric, and logs by SQL. */
import type { AlertDocument } from '../../documents/alertDocument.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { tables } from '../../telemetry/tables.ts'
import { minute, sceneStart, sourceIds, type AlertScene } from '../alertScene.ts'

export const simulatedServices = ['api', 'cart', 'web', 'mail']

export const subjects = ['logs', 'savedSearch', 'traces', 'metric', 'sql'] as const

/** The counts of one service or of all, in groups or together. */
export interface Subject {
  kind: (typeof subjects)[number]
  service: string | null
  grouped: boolean
}

/** @param counts rows of each service in each minute */
export async function insertCounts(engine: Engine, counts: readonly number[][], random: () => number): Promise<void> {
  const cells = counts.flatMap((row, at) =>
    simulatedServices.map((ServiceName, place) => ({ ServiceName, at, count: row[place] ?? 0 })),
  )
  const rows = () =>
    cells.flatMap(({ ServiceName, at, count }) =>
      Array.from({ length: count }, () => ({
        ServiceName,
        Timestamp: `${(sceneStart + at * minute) / 1000 + Math.floor(random() * 60)}.000000000`,
      })),
    )
  await engine.insert(tables.logs, rows())
  await engine.insert(tables.traces, rows())
  // The value of a gauge is its last one: each minute is a series of its own, so that their sum is the count.
  const gauges = cells.flatMap(({ ServiceName, at, count }) =>
    count === 0
      ? []
      : [
          {
            ServiceName,
            MetricName: 'rows',
            TimeUnix: (sceneStart + at * minute) / 1000 + Math.floor(random() * 60),
            Attributes: { minute: `${at}` },
            Value: count,
          },
        ],
  )
  await engine.insert(tables.gauge, gauges)
}

/** Creates an alert on a subject. */
export function alertOn(
  scene: AlertScene,
  { kind, service, grouped }: Subject,
  changes: object,
): Promise<AlertDocument> {
  const where = service === null ? '' : `ServiceName:${service}`
  const groupBy = grouped ? { groupBy: 'ServiceName' } : {}
  const tile = (sourceId: string, series: object) =>
    scene.alert({ displayType: 'line', sourceId, select: [{ where, ...series }], ...groupBy }, changes)
  switch (kind) {
    case 'logs':
      return tile(sourceIds.log, { aggFn: 'count' })
    case 'traces':
      return tile(sourceIds.trace, { aggFn: 'count' })
    case 'metric':
      return tile(sourceIds.metric, {
        aggFn: 'sum',
        valueExpression: 'Value',
        metricType: 'gauge',
        metricName: 'rows',
      })
    case 'savedSearch':
      return scene.searchAlert({ where }, { ...changes, ...groupBy })
    case 'sql':
      return scene.alert(
        {
          configType: 'sql',
          displayType: 'line',
          connectionId: 'a'.repeat(24),
          sourceId: sourceIds.log,
          sqlTemplate: sqlOf(service, grouped),
        },
        changes,
      )
  }
}

function sqlOf(service: string | null, grouped: boolean): string {
  const columns = ['$__timeInterval(Timestamp) AS ts', ...(grouped ? ['ServiceName'] : [])]
  const condition = service === null ? '' : ` AND ServiceName = '${service}'`
  return `SELECT ${columns.join(', ')}, count() AS total FROM default.otel_logs
    WHERE $__timeFilter(Timestamp) AND $__filters${condition} GROUP BY ts${grouped ? ', ServiceName' : ''} ORDER BY ts`
}
