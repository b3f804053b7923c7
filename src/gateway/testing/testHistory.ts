/** A history in a temporary folder, without a gateway and without a deployment. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namingProfiles } from '#contract/wire/naming.ts'
import { api } from '#contract/index.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { SealedJson } from '../database/sealedJson.ts'
import { History } from '../history/history.ts'
import { locationOf } from '#contract/console/deployments.ts'
import { HistoryQueries } from '../history/historyQueries.ts'
import { historyParts } from '../history/openHistory.ts'
import { openTestDatabase, storedBytes } from './testDatabase.ts'

export const target: UpstreamTarget = {
  connectionId: 'test',
  revision: '1',
  variant: 'openSource',
  baseUrl: 'https://deployment.example',
  names: namingProfiles.neutral,
  readOnly: false,
  allowPrivate: false,
  secrets: [],
}

interface ReadOptions {
  kind?: 'dashboards' | 'alerts'
  startedAt?: number
  isComplete?: boolean
}

/** @param key of the data; a random one unless it is given */
export async function openTestHistory(folder = mkdtempSync(join(tmpdir(), 'history-')), key = randomBytes(32)) {
  const database = await openTestDatabase(folder)
  const sealed = new SealedJson(key)
  const errors: unknown[] = []
  const parts = historyParts(database, sealed, (error) => errors.push(error))
  const journal = new History(parts)
  const { deployment } = locationOf(target)
  const count = async (table: string, condition = 'TRUE') =>
    Number((await database.rows(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`))[0]?.['n'])
  return {
    ...parts,
    database,
    key,
    folder,
    errors,
    journal,
    deployment,
    queries: new HistoryQueries(database, parts.store),
    count,
    /** A read of a list, as it ends. */
    async listed(
      result: unknown,
      { kind = 'dashboards', startedAt = performance.now(), isComplete = true }: ReadOptions = {},
    ): Promise<void> {
      const operation = { endpoint: api[kind].list, path: `/api/v2/${kind}`, priority: 'user' } as const
      journal.seen(target, operation, result, startedAt, isComplete)
      await journal.settled()
    },
    /** A creation (without an id), or an update of a dashboard, until its response. */
    begin(name: string, dashboardId?: string) {
      const endpoint = dashboardId === undefined ? api.dashboards.create : api.dashboards.update
      const params: Record<string, string> = dashboardId === undefined ? {} : { dashboardId }
      const body = JSON.stringify({ name, tiles: [] })
      return journal.begin(target, { endpoint, path: '/api/v2/dashboards', params, body, priority: 'user' })
    },
    known: () => parts.stateStore.known(deployment, 'dashboards'),
    changes: () => parts.store.list(deployment, { limit: 500 }),
    bytes: () => storedBytes(folder),
    async close() {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type TestHistory = Awaited<ReturnType<typeof openTestHistory>>
