/** Data sources: sections 1.8, 1.9 and 5 of the open-source reference, 8.3 of the managed one. */
import type { z } from 'zod'
import type { Handlers } from '#contract/kernel.ts'
import type { sourceInputStrict } from '#contract/sourceRules.ts'
import type { Source, sources } from '#contract/sources.ts'
import type { StackContext } from './context.ts'
import { notFound, refuse } from '../refusal.ts'
import { isObjectId, newObjectId } from '../ids.ts'
import type { Identity } from '../store/identity.ts'
import { collection } from '../store/collection.ts'
import { requireRoom, type Limit } from '../store/requireRoom.ts'
import { checkSourceTables } from './sourceTables.ts'

export const sourceRows = collection<Source>('sources')

const sourceLimit: Limit = {
  rows: sourceRows,
  most: 1000,
  owner: 'A stack',
  records: 'sources',
  remedy: 'Delete one first',
}

export const sourceHandlers: Handlers<typeof sources, StackContext> = {
  list: async (_, { store }) => (await sourceRows.all(store)).map(answered),

  async get({ params }, { store }) {
    const source = await sourceRows.get(store, params.sourceId)
    if (!source) throw notFound('Source')
    return answered(source)
  },

  async create({ body }, context) {
    checkConnection(body, context.identity)
    await checkSourceTables(body, context)
    return context.store.write(async (transaction) => {
      await requireRoom(transaction, sourceLimit)
      const source = { id: newObjectId(), ...body }
      await sourceRows.insert(transaction, source)
      return answered(source)
    })
  },

  /** Replaces the whole source. */
  async update({ params, body }, context) {
    const { store, identity } = context
    if (!(await sourceRows.text(store, params.sourceId))) throw notFound('Source')
    checkConnection(body, identity)
    await checkSourceTables(body, context)
    return store.write(async (transaction) => {
      if (!(await sourceRows.text(transaction, params.sourceId))) throw notFound('Source')
      const source = { id: params.sourceId, ...body }
      await sourceRows.update(transaction, source)
      return answered(source)
    })
  },

  /** Dashboards and alerts keep its id, as on deployments. */
  delete({ params }, { store }) {
    return store.write(async (transaction) => {
      if (!(await sourceRows.delete(transaction, params.sourceId))) throw notFound('Source')
    })
  },
}

/** Fields that responses always have. Stored documents have the fields that were sent. */
function answered(source: Source): Source {
  const isRecords = source.kind === 'log' || source.kind === 'trace'
  return { disabled: false, querySettings: [], ...(isRecords && emptyLists), ...source }
}

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
