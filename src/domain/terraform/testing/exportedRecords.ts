/** A record of each kind, as a deployment returns it, and what is written for records. */
import type { JsonObject } from '../../json/json.ts'
import type { ExportedKind, ExportedRecord } from '../exportedKinds.ts'
import { terraformOf } from '../terraform.ts'

export const source = (fields: JsonObject = {}): ExportedRecord => ({
  kind: 'sources',
  record: {
    id: 's1',
    name: 'Logs',
    kind: 'log',
    connection: 'c1',
    timestampValueExpression: 'Timestamp',
    from: { databaseName: 'default', tableName: 'otel_logs' },
    ...fields,
  },
})
export const webhook = (fields: JsonObject = {}): ExportedRecord => ({
  kind: 'webhooks',
  record: { id: 'w1', name: 'On call', service: 'slack', url: 'https://hooks.example/secret', ...fields },
})
export const savedSearch = (fields: JsonObject = {}): ExportedRecord => ({
  kind: 'savedSearches',
  record: {
    id: 'q1',
    name: 'Errors',
    sourceId: 's1',
    where: '',
    whereLanguage: 'lucene',
    tags: [],
    filters: [],
    ...fields,
  },
})
export const dashboard = (fields: JsonObject = {}): ExportedRecord => ({
  kind: 'dashboards',
  record: { id: 'd1', name: 'Shop', tiles: [], tags: [], filters: [], ...fields },
})
export const alert = (fields: JsonObject = {}): ExportedRecord => ({
  kind: 'alerts',
  record: {
    id: 'a1',
    name: null,
    source: 'saved_search',
    savedSearchId: 'q1',
    threshold: 5,
    thresholdType: 'above',
    interval: '5m',
    state: 'OK',
    teamId: 't1',
    scheduleOffsetMinutes: 0,
    channel: { type: 'webhook', webhookId: 'w1' },
    ...fields,
  },
})
export const service = (fields: JsonObject = {}): ExportedRecord => ({
  kind: 'services',
  record: {
    id: 'v1',
    name: 'Analytics',
    provider: 'aws',
    region: 'eu-central-1',
    releaseChannel: 'default',
    autoscalingMode: 'vertical',
    minReplicaMemoryGb: 8,
    maxReplicaMemoryGb: 16,
    numReplicas: 3,
    idleScaling: true,
    idleTimeoutMinutes: 15,
    ipAccessList: [{ source: '10.0.0.0/8' }],
    isPrimary: true,
    dataWarehouseId: 'v1',
    ...fields,
  },
})
export const tile = (fields: JsonObject = {}) => ({ id: 't1', name: 'Orders', x: 0, y: 0, w: 6, h: 4, ...fields })

export const written = (records: readonly ExportedRecord[]) => terraformOf(records, { variant: 'openSource' })
/** Without the spaces that align it. */
export const lines = (hcl: string) => hcl.split('\n').map((line) => line.trim().replace(/ +=/, ' ='))

/** The fields of a record of this kind. */
export function baseOf(kind: ExportedKind): JsonObject {
  return {
    services: service().record,
    sources: source().record,
    webhooks: webhook().record,
    savedSearches: savedSearch().record,
    dashboards: dashboard().record,
    alerts: alert().record,
  }[kind]
}
