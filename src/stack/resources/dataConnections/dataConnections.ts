/**
 * Data connections: docs/DEPLOYMENTS.md#data-connections-team. A stack has exactly one, to its own engine. The
 * configuration decides where that is, so only its name can be changed.
 */
import { z } from 'zod'
import type { DataConnection, dataConnections } from '#contract/stack/dataConnections.ts'
import type { Handlers } from '#contract/wire/kernel.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { notFound, refuse } from '../../refusal.ts'
import { readSetting, writeSetting } from '../../store/storeSettings.ts'
import type { Queries } from '../../store/store.ts'
import { embeddedAddress } from '../../telemetry/engine/engineAddress.ts'
import type { StackContext } from '../context.ts'

type ConnectionContext = Pick<StackContext, 'identity' | 'engineAddress'>

const settingName = 'dataConnection'
/** The name that somebody gave it. */
const renaming = z.object({ name: z.string(), updatedAt: z.string() })

export const dataConnectionHandlers: Handlers<typeof dataConnections, StackContext> = {
  list: async (_, context) => [await readOwn(context.store, context)],

  async get({ params }, context) {
    checkId(params.dataConnectionId, context)
    return readOwn(context.store, context)
  },

  async create() {
    throw refuse(
      'This stack has exactly one data connection, to its own engine. Another one cannot be created. Sources can read further databases of that engine, which SOURCE_DATABASES names.',
    )
  },

  async update({ params, body }, context) {
    checkId(params.dataConnectionId, context)
    checkUnchanged(body, context)
    return context.store.write(async (transaction) => {
      const stored = await readOwn(transaction, context)
      if (stored.name === body.name) return stored
      const renamed: z.output<typeof renaming> = { name: body.name, updatedAt: currentIsoTime() }
      await writeSetting(transaction, settingName, renamed)
      return { ...stored, ...renamed }
    })
  },

  async delete({ params }, context) {
    checkId(params.dataConnectionId, context)
    throw refuse(
      'This data connection cannot be deleted: it leads to the stack’s own engine, which all sources of this stack read from.',
    )
  },
}

async function readOwn(
  queries: Queries,
  { identity, engineAddress = embeddedAddress }: ConnectionContext,
): Promise<DataConnection> {
  const renamed = await readSetting(queries, settingName, renaming)
  return {
    id: identity.connectionId,
    name: engineAddress === embeddedAddress ? 'Local ClickHouse' : 'ClickHouse',
    ...engineAddress,
    createdAt: identity.createdAt,
    updatedAt: identity.createdAt,
    ...renamed,
  }
}

function checkId(id: string, { identity }: ConnectionContext): void {
  if (id !== identity.connectionId) throw notFound('Connection')
}

/** A value that would be stored without effect is refused. */
function checkUnchanged(
  body: z.output<typeof dataConnections.update.strictBody>,
  { engineAddress = embeddedAddress }: ConnectionContext,
): void {
  const refused = [
    body.host !== engineAddress.host && 'host',
    body.username !== engineAddress.username && 'username',
    Boolean(body.password) && 'password',
    Boolean(body.hyperdxSettingPrefix) && 'hyperdxSettingPrefix',
    body.isPrometheusEndpoint === true && 'isPrometheusEndpoint',
  ].filter((field) => field !== false)
  if (refused.length === 0) return
  throw refuse(
    `Only the name of this data connection can be changed, not ${refused.join(', ')}: it leads to the stack’s own engine, which CLICKHOUSE_URL configures.`,
  )
}
