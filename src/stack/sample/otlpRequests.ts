/** Creates OTLP requests in JSON from flat lists of records. */

export type Attributes = Record<string, string | number | boolean>

export interface Labelled<Record> {
  service: string
  /** The version of the service, if it is not the usual one. */
  version?: string
  record: Record
}

/** The resource attribute that marks every sample record, whatever its signal. */
export const sampleLabel = { key: 'telemetry.sample', value: 'true' } as const

export function attributeList(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Nanoseconds as decimal text, from milliseconds with a fraction. */
export function nanos(milliseconds: number): string {
  const whole = Math.floor(milliseconds)
  return `${whole}${String(Math.floor((milliseconds - whole) * 1_000_000)).padStart(6, '0')}`
}

const bodies = {
  logs: (records: object[]) => ({ scopeLogs: [{ scope, logRecords: records }] }),
  traces: (records: object[]) => ({ scopeSpans: [{ scope, spans: records }] }),
  metrics: (records: object[]) => ({ scopeMetrics: [{ scope, metrics: records }] }),
}
const roots = { logs: 'resourceLogs', traces: 'resourceSpans', metrics: 'resourceMetrics' } as const
const scope = { name: 'sample-shop', version: '1.0.0' }

export type SignalName = keyof typeof bodies

/** One export request, its records grouped by service and version. */
export function exportRequest(signal: SignalName, records: readonly Labelled<object>[]): string {
  const byResource = groupBy(records, ({ service, version }) => JSON.stringify([service, version]))
  const resources = [...byResource.values()].map((group) => ({
    resource: resourceOf(group[0]),
    ...bodies[signal](group.map(({ record }) => record)),
  }))
  return JSON.stringify({ [roots[signal]]: resources })
}

/** The version that all services have but the one with an incident, while that lasts. */
const usualVersion = '4.2.0'

function resourceOf({ service, version = usualVersion }: Pick<Labelled<object>, 'service' | 'version'>): object {
  return {
    attributes: attributeList({
      'service.name': service,
      'service.namespace': 'shop',
      'service.version': version,
      'deployment.environment.name': 'sample',
      'host.name': `${service}-1`,
      [sampleLabel.key]: sampleLabel.value,
    }),
  }
}

/** Groups items by key in their order. (`Map.groupBy` needs a newer Node.) */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
