/** Creates OTLP requests in JSON from flat lists of records. */
import { groupBy } from './groupItems.ts'

export type Attributes = Record<string, string | number | boolean>

export interface Labelled<Record> {
  service: string
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

/** One export request, its records grouped by service. */
export function exportRequest(signal: SignalName, records: readonly Labelled<object>[]): string {
  const byService = groupBy(records, ({ service }) => service)
  const resources = [...byService].map(([service, group]) => ({
    resource: resourceOf(service),
    ...bodies[signal](group.map(({ record }) => record)),
  }))
  return JSON.stringify({ [roots[signal]]: resources })
}

function resourceOf(service: string): object {
  return {
    attributes: attributeList({
      'service.name': service,
      'service.namespace': 'shop',
      'service.version': '4.2.0',
      'deployment.environment.name': 'sample',
      'host.name': `${service}-1`,
      [sampleLabel.key]: sampleLabel.value,
    }),
  }
}
