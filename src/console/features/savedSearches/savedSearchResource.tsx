/** Saved searches as a resource: endpoints, pages, what uses them, and what deleting one does. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { alertName, type Names } from '#console/usages/alertNames.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { defineResource, type Uses } from '#console/records/record/resource.ts'
import { counted } from '#domain/text/words.ts'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
import { savedSearches } from '#contract/stack/savedSearches.ts'
import { sameWritable, writable } from './savedSearchForm.ts'
import * as records from '#console/records/records.module.css'

export const savedSearchResource = defineResource({
  api: savedSearches,
  idParams: ['savedSearchId'],
  paths: {
    list: paths.savedSearches,
    new: paths.newSavedSearch,
    detail: paths.savedSearch,
    edit: paths.editSavedSearch,
  },
  nameOf: ({ name }) => name,
  unchanged: sameWritable,
  uses: {
    read: async (connectionId, id, fresh) => {
      const reading = queryClient.fetchQuery({ ...q(connectionId, alerts.list, {}), ...(fresh && { staleTime: 0 }) })
      const all = await reading.catch(() => undefined)
      return all && usesIn(all, id)
    },
    left: 'The API deletes these alerts with it.',
    confirmUsed: true,
    decidedBy: 'alerts',
  },
  deletion: {
    effect: 'Alerts on it are deleted too.',
    notRestored: () => 'Its alerts are not restored.',
    body: writable,
  },
})

/** The alerts on each saved search. */
export function useSavedSearchUses(): ((id: string) => Uses) | undefined {
  const { data } = useQuery(q(useConnection().id, alerts.list, {}))
  return useMemo(() => data && ((id: string) => usesIn(data, id)), [data])
}

function usesIn(all: readonly Alert[], id: string): Uses {
  const uses = all.filter(({ savedSearchId }) => savedSearchId === id)
  return {
    count: uses.length,
    summary: uses.length > 0 ? counted(uses.length, 'alert') : '',
    blocking: false,
    links: (newTab) => <AlertLinks uses={uses} newTab={newTab} />,
  }
}

function AlertLinks({ uses, newTab }: { uses: readonly Alert[]; newTab: boolean }) {
  const { id: connectionId } = useConnection()
  const { data } = useQuery(q(connectionId, savedSearches.list, {}))
  const known = data && new Map(data.map((search) => [search.id, search]))
  const names: Names = { dashboards: new Map(), savedSearches: known, webhooks: undefined }
  return (
    <ul className={records.usesLinksList}>
      {uses.map((alert) => (
        <li key={alert.id} className={records.use}>
          <TextLink underline="always" to={paths.alert(connectionId, alert.id)} {...(newTab && { target: '_blank' })}>
            {alertName(alert, names)}
          </TextLink>
        </li>
      ))}
    </ul>
  )
}
