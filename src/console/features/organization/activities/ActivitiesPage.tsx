import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useOffer } from '#console/api/offers/offers.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { useTableState } from '#console/shell/useTableState.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { capitalized } from '#domain/text/words.ts'
import { Page } from '#console/ui/layout/Page.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { activities, actorTypes, type Activity } from '#contract/cloud/organization/activities.ts'
import { activityText } from './activityText.ts'

export const reads = pageReads(activities.list)

/** The activity log of the organization, newest first. */
export default function ActivitiesPage() {
  const connection = useConnection()
  const { reason } = useOffer(connection, 'activities', activities.list.variants)
  const { data, error, refetch } = useQuery({ ...q(connection.id, activities.list, {}), enabled: reason === undefined })
  const table = useTableState()
  return (
    <Page
      title="Activities"
      lead="What was done with the organization: by whom and from where. Old and new values are not recorded."
    >
      {reason === undefined ? (
        <DataTable
          label="Activities"
          rows={data}
          columns={columns}
          error={error && <QueryError error={error} onRetry={() => void refetch()} />}
          empty={
            <EmptyState icon={History} title="No activities yet">
              Every change of the organization is listed here.
            </EmptyState>
          }
          {...table}
          nameOf={activityText}
        />
      ) : (
        <NotOffered reason={reason} />
      )}
    </Page>
  )
}

/** Their IDs are part of URLs: do not rename them. */
const columns: Column<Activity>[] = [
  { id: 'time', title: 'Time', width: 130, type: 'timestamp', value: ({ createdAt }) => createdAt },
  { id: 'activity', title: 'Activity', grow: 1, width: 230, value: activityText },
  { id: 'actor', title: 'By', grow: 0.6, width: 150, value: ({ actorDetails, actorId }) => actorDetails ?? actorId },
  {
    id: 'actorType',
    title: 'Kind',
    width: 90,
    type: 'choice',
    options: actorTypes.map((value) => ({ value, label: value === 'api' ? 'API key' : capitalized(value) })),
    value: ({ actorType }) => actorType,
  },
  { id: 'address', title: 'From', width: 130, value: ({ actorIpAddress }) => actorIpAddress },
  { id: 'program', title: 'Program', width: 150, value: ({ userAgent }) => userAgent },
  {
    id: 'type',
    title: 'Type',
    width: 220,
    hidden: true,
    value: ({ type }) => type,
    cell: ({ type }) => <code>{type}</code>,
  },
  { id: 'service', title: 'Service', width: 290, hidden: true, value: ({ serviceId }) => serviceId },
  { id: 'key', title: 'Key', width: 290, hidden: true, value: ({ targetKeyId }) => targetKeyId },
]
