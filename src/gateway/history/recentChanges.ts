/** The latest changes of each deployment among the connections that the caller sees. */
import type { Connection } from '#contract/console/connections.ts'
import { locationOf } from '#contract/console/deployments.ts'
import type { RecentChanges } from '#contract/console/environments.ts'
import { changesQuery, type Change } from '#contract/console/history.ts'
import type { Connections } from '../connections/connections.ts'
import type { ChangeStore } from './changeStore.ts'

/** The most changes of one deployment. */
const perDeployment = 12
/** The most changes of all deployments together. The latest change of each deployment is returned in any case. */
const inTotal = 200

export async function recentChanges(
  store: ChangeStore,
  connections: Pick<Connections, 'list'>,
  isSeen: (connectionId: string) => boolean,
): Promise<RecentChanges[]> {
  const query = changesQuery.parse({ made: '1', limit: perDeployment })
  const byDeployment = new Map<string, Connection[]>()
  for (const connection of connections.list().filter(({ id }) => isSeen(id))) {
    const { deployment } = locationOf(connection)
    byDeployment.set(deployment, [...(byDeployment.get(deployment) ?? []), connection])
  }
  const read = await Promise.all(
    [...byDeployment].map(async ([deployment, own]) => ({
      connectionIds: own.map(({ id }) => id),
      changes: (await store.list(deployment, query)).map((change) => shownChange(change, isSeen)),
    })),
  )
  return newest(read, inTotal)
}

/** A change without the connection that it was sent through, if that is one to the same deployment that the caller does not see. */
export function shownChange({ connectionId, ...rest }: Change, isSeen: (connectionId: string) => boolean): Change {
  return connectionId === undefined || !isSeen(connectionId) ? rest : { ...rest, connectionId }
}

/** The newest changes of all deployments together, and the last one of each. */
export function newest(read: readonly RecentChanges[], count: number): RecentChanges[] {
  const times = read.flatMap(({ changes }) => changes.map(({ at }) => at)).toSorted()
  const from = times.at(-count) ?? ''
  return read.map(({ connectionIds, changes }) => ({
    connectionIds,
    changes: changes.filter(({ at }, place) => place === 0 || at >= from),
  }))
}
