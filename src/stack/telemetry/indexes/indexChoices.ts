/**
 * The indexes that the telemetry tables may have, and which of them a setting names. Their names and expressions are those of the
 * collector's ClickHouse exporter, so that a table of either is queried in the same way.
 */
import type { IndexChoice, IndexName } from '../../config.ts'
import { tables, type TelemetryTable } from '../tables.ts'

export interface IndexDefinition {
  table: TelemetryTable
  name: string
  expression: string
  /** `text` lists all values, `bloom` is a filter of them. */
  type: Record<IndexChoice['kind'], string>
  /** Conditions that no row satisfies: what an index leaves of a table under them has not got the index yet. */
  absent: (text: string) => string
}

const array = { text: `text(tokenizer = 'array')`, bloom: 'bloom_filter(0.01) GRANULARITY 1' }

const ofMap = (table: TelemetryTable, column: string, short: string): IndexDefinition[] => [
  {
    table,
    name: `idx_${short}_attr_key`,
    expression: `mapKeys(${column})`,
    type: array,
    absent: (text) => `mapContains(${column}, '${text}')`,
  },
  {
    table,
    name: `idx_${short}_attr_value`,
    expression: `mapValues(${column})`,
    type: array,
    absent: (text) => `has(mapValues(${column}), '${text}')`,
  },
]

const body: IndexDefinition = {
  table: tables.logs,
  name: 'idx_lower_body',
  expression: 'lower(Body)',
  type: { text: `text(tokenizer = 'splitByNonAlpha')`, bloom: 'tokenbf_v1(32768, 3, 0) GRANULARITY 8' },
  absent: (text) => `hasToken(lower(Body), '${text}')`,
}

const duration: IndexDefinition = {
  table: tables.traces,
  name: 'idx_duration',
  expression: 'Duration',
  type: { text: 'minmax GRANULARITY 1', bloom: 'minmax GRANULARITY 1' },
  absent: () => 'Duration > 18446744073709551614',
}

const metricTables = Object.values(tables).filter((table) => table !== tables.logs && table !== tables.traces)

/** The meaning of the names in TELEMETRY_INDEXES. */
const choices: Record<IndexName, readonly IndexDefinition[]> = {
  'logs.body': [body],
  'logs.attributes': ofMap(tables.logs, 'LogAttributes', 'log'),
  'logs.resource': ofMap(tables.logs, 'ResourceAttributes', 'res'),
  'traces.attributes': ofMap(tables.traces, 'SpanAttributes', 'span'),
  'traces.resource': ofMap(tables.traces, 'ResourceAttributes', 'res'),
  'traces.duration': [duration],
  'metrics.attributes': metricTables.flatMap((table) => ofMap(table, 'Attributes', 'attr')),
}

/** An index that is wanted, as the setting has it. */
export type WantedIndex = IndexDefinition & Pick<IndexChoice, 'kind'>

export const definitionsOf = (wanted: readonly IndexChoice[]): WantedIndex[] =>
  wanted.flatMap(({ name, kind }) => choices[name].map((definition) => ({ ...definition, kind })))

/** Every index that a setting may name. */
export const allDefinitions: readonly IndexDefinition[] = Object.values(choices).flat()
