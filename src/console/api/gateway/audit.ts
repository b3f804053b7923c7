/** The audit log of the console's own server. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { auditPaths, type AuditPage, type AuditQuery, type AuditVerification } from '#contract/console/audit.ts'
import { requestFile, send } from '../send.ts'

export type AuditFilter = Pick<AuditQuery, 'text' | 'area' | 'connectionId' | 'outcome' | 'mark' | 'from'> & {
  /** The number of a change request. */
  changeRequest?: number
}

/** Entries, the newest first, page by page. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ signal, pageParam }) =>
      send<AuditPage>(`${auditPaths.entries}?${queryText({ ...filter, before: pageParam })}`, { signal }),
    initialPageParam: undefined as number | undefined, // the first page begins at the newest entry
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.seq : undefined),
  })

export const auditVerificationQuery = queryOptions({
  queryKey: ['audit', 'verification'],
  queryFn: ({ signal }) => send<AuditVerification>(auditPaths.verification, { signal }),
})

/** All entries that match, as JSON lines. */
export async function exportAudit(filter: AuditFilter): Promise<ArrayBuffer> {
  return (await requestFile(`${auditPaths.export}?${queryText(filter)}`)).content
}

function queryText(values: Record<string, string | number | undefined>): string {
  const set = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return new URLSearchParams(set).toString()
}
