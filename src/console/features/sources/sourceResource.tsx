/** Sources as a resource: endpoints, pages, what uses them, and what deleting one does. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useChangesOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { sourceUsers, type SourceUsers } from '#console/usages/usage.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { defineResource, type Uses } from '#console/records/record/resource.ts'
import { alerts } from '#contract/stack/alerts.ts'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { sources } from '#contract/stack/sources.ts'
import { alertName, useNames } from '#console/usages/alertNames.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { sameWritable, writable } from './sourceForm.ts'
import { formatSourceUsers } from './sourceLabels.ts'
import * as css from './sources.module.css'

export const sourceResource = defineResource({
  api: sources,
  idParams: ['sourceId'],
  paths: { list: paths.sources, new: paths.newSource, detail: paths.source, edit: paths.editSource },
  // Every deployment lists its sources; not all have a read of one.
  findInList: true,
  nameOf: ({ name }) => name,
  unchanged: sameWritable,
  uses: {
    read: readUses,
    left: 'The API deletes a source even if it is in use. What uses it keeps a reference to a missing source and shows nothing.',
    confirmUsed: true,
  },
  deletion: { effect: 'The data in the table is kept.', body: writable },
})

/** The reads of the source pages: the sources, and everything that can use them. */
export const sourceReads = recordReads(sourceResource, dashboards.list, alerts.list)

/**
 * Why sources cannot be changed here; undefined if they can. Where the specification only lists them, one is read:
 * deployments that have this read also have the changes.
 */
export function useSourceLock(): string | undefined {
  const connection = useConnection()
  const { offered, reason } = useChangesOffer(connection, 'sources', sources.update.variants)
  const { data } = useQuery(q(connection.id, sources.list, {}))
  const sourceId = data?.[0]?.id ?? ''
  const asks = !offered && sourceId !== ''
  useQuery({ ...q(connection.id, sources.get, { params: { sourceId } }, { priority: 'background' }), enabled: asks })
  return lockReason(connection) ?? (data?.length === 0 && !offered ? undefined : reason)
}

export function useSourceUses(): ((id: string) => Uses) | undefined {
  const { id: connectionId } = useConnection()
  const { data: boards } = useQuery(q(connectionId, dashboards.list, {}))
  const { data: alerting } = useQuery(q(connectionId, alerts.list, {}))
  const { data: all } = useQuery(q(connectionId, sources.list, {}))
  return useMemo(
    () =>
      boards && alerting && all
        ? (id: string) => usesOf(sourceUsers(id, { dashboards: boards, alerts: alerting, sources: all }))
        : undefined,
    [boards, alerting, all],
  )
}

/** Undefined if dashboards or alerts cannot be read. */
async function readUses(connectionId: string, id: string): Promise<Uses | undefined> {
  try {
    const [boards, alerting, all] = await Promise.all([
      queryClient.fetchQuery(q(connectionId, dashboards.list, {})),
      queryClient.fetchQuery(q(connectionId, alerts.list, {})),
      queryClient.fetchQuery(q(connectionId, sources.list, {})),
    ])
    return usesOf(sourceUsers(id, { dashboards: boards, alerts: alerting, sources: all }))
  } catch {
    return undefined
  }
}

const usesOf = (users: SourceUsers): Uses => ({
  count: users.uses.length + users.alerts.length + users.sources.length,
  summary: formatSourceUsers(users),
  blocking: false,
  links: (newTab) => <SourceUseLinks users={users} newTab={newTab} />,
})

interface SourceUseLinksProps {
  users: SourceUsers
  /** For links inside a question, which stays open. */
  newTab: boolean
}

/** Links to everything that uses a source: dashboards with their tiles and filters, alerts on them, other sources. */
function SourceUseLinks({ users, newTab }: SourceUseLinksProps) {
  const connection = useConnection()
  const names = useNames(connection)
  const opens = newTab ? { target: '_blank' } : {}
  const boards = new Map(users.uses.map(({ dashboard }) => [dashboard.id, dashboard]))
  return (
    <ul className={css.sourceUseLinks}>
      {[...boards.values()].map((dashboard) => (
        <li key={dashboard.id}>
          Dashboard{' '}
          <TextLink to={paths.dashboard(connection.id, dashboard.id)} underline="always" {...opens}>
            {dashboard.name}
          </TextLink>
          <span className={css.places}>
            :{' '}
            {users.uses
              .filter((use) => use.dashboard === dashboard)
              .map((use) => use.place)
              .join(', ')}
          </span>
        </li>
      ))}
      {users.alerts.map((alert) => (
        <li key={alert.id}>
          Alert{' '}
          <TextLink to={paths.alert(connection.id, alert.id)} underline="always" {...opens}>
            {alertName(alert, names)}
          </TextLink>
        </li>
      ))}
      {users.sources.map((source) => (
        <li key={source.id}>
          Source{' '}
          <TextLink to={paths.source(connection.id, source.id)} underline="always" {...opens}>
            {source.name}
          </TextLink>
        </li>
      ))}
    </ul>
  )
}
