/** The name of what an alert watches. */
import { useQuery } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { formatAlertSubject, type Names } from '#console/references/alertNames.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { Alert } from '#contract/stack/alerts.ts'
import { savedSearches } from '#contract/stack/savedSearches.ts'

/** "Orders / Errors", "Payment provider errors"; with the ID where the name is not known. */
export function useWatchedName(alert: Alert, names: Names): string {
  const connection = useConnection()
  const isSearch = alert.source === 'saved_search'
  // The chart reads them too.
  const { data } = useQuery({ ...q(connection.id, savedSearches.list, {}), enabled: isSearch })
  const search = isSearch ? data?.find(({ id }) => id === alert.savedSearchId) : undefined
  return search?.name || formatAlertSubject(alert, names)
}
