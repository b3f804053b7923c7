/** Reading sources and who names them, and whether they can be changed here. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useChangesOffer } from '#console/api/offers.ts'
import { q, readAhead } from '#console/api/queries.ts'
import { sourceUsers, type SourceUsers } from '#console/references/usage.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { alerts } from '#contract/alerts.ts'
import { dashboards } from '#contract/dashboards.ts'
import { sources } from '#contract/sources.ts'

export function readSources({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, sources.list, {})
  readAhead(connectionId, dashboards.list, {})
  readAhead(connectionId, alerts.list, {})
}

/**
 * Why sources cannot be changed here; undefined where they can. Where the specification only lists them, the read of one
 * is asked for: deployments that have it also change them.
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

/** Who names a source. Undefined until dashboards and alerts are read. */
export function useSourceUsers(): ((id: string) => SourceUsers) | undefined {
  const { id: connectionId } = useConnection()
  const { data: boards } = useQuery(q(connectionId, dashboards.list, {}))
  const { data: told } = useQuery(q(connectionId, alerts.list, {}))
  const { data: all } = useQuery(q(connectionId, sources.list, {}))
  return useMemo(
    () =>
      boards && told && all
        ? (id: string) => sourceUsers(id, { dashboards: boards, alerts: told, sources: all })
        : undefined,
    [boards, told, all],
  )
}
