import { useMemo } from 'react'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { RecordList } from '#console/shell/record/RecordList.tsx'
import { listReads } from '#console/shell/record/recordCalls.ts'
import { counted } from '#console/ui/format.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import type { ApiKey } from '#contract/apiKeys.ts'
import { apiKeyResource, deleteAction, stateAction } from './apiKeyResource.ts'
import { apiKeyColumns } from './columns.tsx'
import { keyStatus, warningDays } from './keyStatus.ts'
import css from './ApiKeysPage.module.css'

export const reads = listReads(apiKeyResource)

export default function ApiKeysPage() {
  const connection = useConnection()
  const now = useNow()
  const columns = useMemo(() => apiKeyColumns(connection, now), [connection, now])
  return (
    <RecordList
      resource={apiKeyResource}
      lead="Keys of the organization’s management API. Each has roles, addresses from which it may be used, and an expiry."
      columns={columns}
      empty="Programs sign their requests with API keys."
      newPath={paths.newApiKey(connection.id)}
      renderNotice={(keys) => <ExpiryNotice keys={keys} now={now} />}
      commands={(key) => [stateAction(connection, key)]}
      lastActions={(key) => [deleteAction(connection, key)]}
    />
  )
}

/** Keys that stop working soon. */
function ExpiryNotice({ keys, now }: { keys: readonly ApiKey[]; now: number }) {
  const soon = keys.filter((key) => keyStatus(key, now) === 'expiring')
  if (soon.length === 0) return null
  const names = soon.slice(0, 5).map(({ name }) => name)
  return (
    <div className={css.expiryNotice}>
      <Notice tone="warning">
        {counted(soon.length, 'API key')} {soon.length === 1 ? 'expires' : 'expire'} within {warningDays} days:{' '}
        {names.join(', ')}
        {soon.length > names.length && ` and ${soon.length - names.length} more`}. Create a new key, switch to it, then
        delete the old one.
      </Notice>
    </div>
  )
}
