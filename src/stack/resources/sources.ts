/** Data sources: docs/DEPLOYMENTS.md#deletion-and-references, #omitted-fields, #sources. */
import type { z } from 'zod'
import type { Handlers } from '#contract/wire/kernel.ts'
import type { sourceInputStrict } from '#contract/stack/sourceRules.ts'
import type { Source, sources } from '#contract/stack/sources.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { StackContext } from './context.ts'
import { notFound, Refusal, refuse } from '../refusal.ts'
import { isObjectId, newObjectId } from '../ids.ts'
import type { Identity } from '../store/identity.ts'
import { EngineError } from '../telemetry/engine/engineError.ts'
import { metricNames } from '../telemetry/metricNames.ts'
import { collection } from '../store/collection.ts'
import { requireRoom, type Limit } from '../store/requireRoom.ts'
import { checkSourceTables, databasesFor, missingTables } from './sourceTables.ts'

export const sourceRows = collection<Source>('sources')

const sourceLimit: Limit = {
  rows: sourceRows,
  most: 1000,
  owner: 'A stack',
  records: 'sources',
  remedy: 'Delete one first',
}

export const sourceHandlers: Handlers<typeof sources, StackContext> = {
  async list(_, context) {
    const stored = await sourceRows.all(context.store)
    const missing = await missingTables(stored, context)
    return stored.map((source) => sourceResponse(source, missing, context))
  },

  async get({ params }, context) {
    const source = await sourceRows.get(context.store, params.sourceId)
    if (!source) throw notFound('Source')
    return sourceResponse(source, await missingTables([source], context), context)
  },

  async metricNames({ params }, context) {
    const source = await sourceRows.get(context.store, params.sourceId)
    if (!source) throw notFound('Source')
    const { engine, signal } = context
    if (!engine) throw new Refusal(503, 'This stack has no telemetry engine')
    try {
      return await metricNames(engine, source, await databasesFor(context), { now: currentTime(), signal })
    } catch (error) {
      if (error instanceof EngineError) throw new Refusal(503, error.message)
      throw error
    }
  },

  async create({ body }, context) {
    checkConnection(body, context.identity)
    await checkSourceTables(body, context)
    const source = { id: newObjectId(), ...body }
    await context.store.write(async (transaction) => {
      await requireRoom(transaction, sourceLimit)
      await sourceRows.insert(transaction, source)
    })
    return sourceResponse(source, await missingTables([source], context), context)
  },

  /** Replaces the whole source. */
  async update({ params, body }, context) {
    const { store, identity } = context
    if (!(await sourceRows.text(store, params.sourceId))) throw notFound('Source')
    checkConnection(body, identity)
    await checkSourceTables(body, context)
    const source = { id: params.sourceId, ...body }
    await store.write(async (transaction) => {
      if (!(await sourceRows.text(transaction, params.sourceId))) throw notFound('Source')
      await sourceRows.update(transaction, source)
    })
    return sourceResponse(source, await missingTables([source], context), context)
  },

  /** Dashboards and alerts keep its id, as on deployments. */
  delete({ params }, { store }) {
    return store.write(async (transaction) => {
      if (!(await sourceRows.delete(transaction, params.sourceId))) throw notFound('Source')
    })
  },
}

/** Stored documents have the fields that were sent. Responses have more, and name the tables that do not exist yet. */
function sourceResponse(
  source: Source,
  missing: ReadonlyMap<string, string[]>,
  { engine, chartBehavior }: Pick<StackContext, 'engine' | 'chartBehavior'>,
): Source {
  const isRecords = source.kind === 'log' || source.kind === 'trace'
  const tables = missing.get(source.id)
  return {
    disabled: false,
    querySettings: [],
    ...(isRecords && emptyLists),
    ...source,
    ...(tables && { missingTables: tables }),
    ...(engine && chartBehavior !== 'deployment' && isCharted(source) && { chartOptions: ['topGroups'] }),
  }
}

const isCharted = ({ kind }: Source): boolean => kind === 'log' || kind === 'trace' || kind === 'metric'

const emptyLists = {
  materializedViews: [],
  highlightedTraceAttributeExpressions: [],
  highlightedRowAttributeExpressions: [],
}

/** The stack has one connection: the one to its engine. */
function checkConnection({ connection }: z.output<typeof sourceInputStrict>, { connectionId }: Identity): void {
  if (!isObjectId(connection)) throw refuse('connection must be a valid connection id')
  if (connection !== connectionId) throw refuse('connection must be an existing connection id')
}
