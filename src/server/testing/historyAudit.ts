/** Compares the history of a gateway that has ended with what its deployment has. */
import { changesQuery } from '#contract/console/history.ts'
import { AuditStore } from '#gateway/audit/auditStore.ts'
import { openConnections } from '#gateway/connections/openConnections.ts'
import { openDatabase } from '#gateway/database/database.ts'
import { SealedJson } from '#gateway/database/sealedJson.ts'
import { locationOf } from '#contract/console/deployments.ts'
import { HistoryQueries } from '#gateway/history/historyQueries.ts'
import { historyParts } from '#gateway/history/openHistory.ts'
import type { Versions } from '#gateway/history/versions.ts'
import { Deployments } from '#node/upstream/deployments.ts'
import { createEgress } from '#node/upstream/egressGuard.ts'
import { listRecords } from '#node/upstream/readInventory.ts'
import { Budgets } from '#node/upstream/budgets.ts'
import { defaultDeadlines, replyLimit, Upstream } from '#node/upstream/upstream.ts'
import type { GatewayOrder } from './orderedGateway.ts'

const kinds = ['dashboards', 'alerts', 'webhooks', 'sources'] as const

/** @returns what differs. Nobody but this gateway may have written. */
export async function auditHistory(
  { dataDir, databaseUrl, secret, budgets }: GatewayOrder,
  connectionId: string,
): Promise<string[]> {
  const database = await openDatabase(dataDir, databaseUrl)
  const { connections, dataKey } = await openConnections({ database, dataDir, secret })
  const target = connections.open(connectionId)
  const { deployment } = locationOf(target)
  const { store, stateStore, versions } = historyParts(database, new SealedJson(dataKey), () => {})
  const queries = new HistoryQueries(database, store)
  const egress = createEgress(defaultDeadlines)
  const deployments = new Deployments(new Upstream(egress, defaultDeadlines, replyLimit), new Budgets(budgets))
  const faults: string[] = []
  try {
    for (const kind of kinds) {
      const known = await stateStore.known(deployment, kind)
      const stored = await listRecords(deployments, target, kind, { priority: 'user' })
      const ids = new Set(stored.map(({ id }) => String(id)))
      const fault = (id: string, what: string) =>
        faults.push(`${connectionId}: ${kind} ${id} (${known.get(id)?.name ?? 'unknown'}) ${what}`)
      for (const record of stored) {
        const id = String(record['id'])
        const wrong = await wrongWith({ versions, queries, deployment }, kind, record, known.get(id))
        if (wrong) fault(id, wrong)
      }
      for (const { id, goneAt } of known.values()) {
        if (ids.has(id)) continue
        if (goneAt === null) fault(id, 'is gone, but not in the history')
        const [newest] = await store.list(deployment, changesQuery.parse({ kind, recordId: id, outcome: 'done' }))
        if (newest?.action !== 'deleted') fault(id, `has no deletion: the newest change is ${newest?.action}`)
      }
    }
    const outside = await store.list(deployment, changesQuery.parse({ cause: 'outside', limit: 500 }))
    for (const { kind, name, action } of outside) {
      faults.push(`${connectionId}: ${kind} ${name} seems ${action} by others`)
    }
    return faults
  } finally {
    await database.close()
    await egress.close()
  }
}

/** Checks that the audit log is a whole chain, and that no write is missing in it. @returns what is wrong */
export async function checkAuditLog({ dataDir, databaseUrl }: GatewayOrder): Promise<string[]> {
  const database = await openDatabase(dataDir, databaseUrl)
  try {
    const { fault } = await new AuditStore(database).verify()
    const missing = await database.rows(
      `SELECT kind, name, at FROM changes WHERE cause = 'console' AND NOT EXISTS (SELECT 1 FROM audit
        WHERE audit.outcome = 'begun' AND audit.connection_id = changes.connection_id AND audit.at <= changes.at
          AND audit.event LIKE changes.kind || '.%')`,
    )
    return [
      ...(fault ? [`entry ${fault.seq} of the audit log: ${fault.problem}`] : []),
      ...missing.map(({ kind, name }) => `a change of ${String(kind)} ${String(name)} is not in the audit log`),
    ]
  } finally {
    await database.close()
  }
}

interface AuditedHistory {
  versions: Versions
  queries: HistoryQueries
  deployment: string
}

async function wrongWith(
  { versions, queries, deployment }: AuditedHistory,
  kind: string,
  record: Readonly<Record<string, unknown>>,
  known: { id: string; hash: string; goneAt: string | null } | undefined,
): Promise<string | undefined> {
  if (!known) return 'is not in the history'
  if (known.goneAt !== null) return 'is there, but deleted in the history'
  const { hash } = versions.of(kind, record)
  const kept = await versions.read(known.hash)
  if (known.hash !== hash) return `is ${JSON.stringify(record)}, but ${JSON.stringify(kept)} in the history`
  if (versions.of(kind, kept).hash !== hash) return 'is not rebuilt as it was'
  const shown = (await queries.versions(deployment, kind, known.id)).find(({ isCurrent }) => isCurrent)
  return shown?.version === hash ? undefined : 'has no current version among its versions'
}
