/** How large the indexes of the telemetry tables are, and which rows have them. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Engine } from '../engine/engine.ts'
import { allDefinitions, type IndexDefinition } from './indexChoices.ts'

export interface IndexSize {
  table: string
  name: string
  expression: string
  /** As the engine spells it: `text(tokenizer = 'array')`. */
  type: string
  /** On disk, compressed. */
  bytes: number
}

export interface IndexState extends IndexSize {
  /** Blocks of rows of the table, and those that have the index. */
  granules: number
  indexedGranules: number
}

/** All indexes of the tables in the telemetry database, those of others among them, with what each takes on disk. */
export async function indexSizes(engine: Pick<Engine, 'query'>): Promise<IndexSize[]> {
  const rows = await engine.query<Omit<IndexSize, 'bytes'> & { bytes: string | number }>(
    `SELECT table, name, expr AS expression, type_full AS type, data_compressed_bytes + marks_bytes AS bytes
     FROM system.data_skipping_indices WHERE database = currentDatabase() ORDER BY table, name`,
  )
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }))
}

/** The indexes that TELEMETRY_INDEXES may name and the tables have. */
export async function indexStates(engine: Pick<Engine, 'query'>): Promise<IndexState[]> {
  const sizes = await indexSizes(engine)
  const states: IndexState[] = []
  for (const size of sizes) {
    const definition = allDefinitions.find(({ table, name }) => table === size.table && name === size.name)
    if (!definition) continue
    const { all, without } = await granulesOf(engine, definition)
    states.push({ ...size, granules: all, indexedGranules: all - without })
  }
  return states
}

interface Granules {
  all: number
  /** How many of those have to be read although no row satisfies the condition: their part has no index. */
  without: number
}

/** @param partition of the table; all without one */
export async function granulesOf(
  engine: Pick<Engine, 'query'>,
  { table, name, absent }: IndexDefinition,
  partition?: string,
): Promise<Granules> {
  // Three, because a bloom filter takes some absent texts for present.
  const absentTexts = Array.from({ length: 3 }, () => `absent${randomUUID().replaceAll('-', '')}`)
  const conditions = absentTexts.map(absent)
  const inPartition = partition === undefined ? [] : [`_partition_id = {partition:String}`]
  const rows = await engine.query<{ explain: string }>(
    `EXPLAIN indexes = 1, json = 1
     SELECT count() FROM ${table} WHERE ${[...inPartition, ...new Set(conditions)].join(' AND ')}`,
    { params: partition === undefined ? {} : { partition } },
  )
  const steps = indexSteps(JSON.parse(rows.map(({ explain }) => explain).join('\n')))
  const step = steps.find(({ Name }) => Name === name)
  if (step) return { all: step['Initial Granules'], without: step['Selected Granules'] }
  // Without rows, nothing is read at all; without the index in any part, it is not among the steps.
  const rest = steps.at(-1)?.['Selected Granules'] ?? 0
  return { all: rest, without: rest }
}

const indexStep = z.looseObject({
  Name: z.string().optional(),
  'Initial Granules': z.number(),
  'Selected Granules': z.number(),
})
type IndexStep = z.infer<typeof indexStep>

/** The steps by which the engine chooses what to read, from its plan in JSON. */
function indexSteps(plan: unknown): IndexStep[] {
  if (Array.isArray(plan)) return plan.flatMap(indexSteps)
  if (typeof plan !== 'object' || plan === null) return []
  return Object.entries(plan).flatMap(([key, value]): IndexStep[] => {
    if (key === 'Indexes') return z.array(indexStep).parse(value)
    return typeof value === 'object' ? indexSteps(value) : []
  })
}
