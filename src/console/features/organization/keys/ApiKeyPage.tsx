import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { RecordDetail } from '#console/records/record/RecordDetail.tsx'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { Timestamp, useNow } from '#console/ui/Timestamp.tsx'
import type { ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import { roleNames } from '../roleOptions.ts'
import { apiKeyResource, deleteAction, rotateAction, stateAction } from './apiKeyResource.ts'
import { keyStatus } from '#domain/apiKeys/keyExpiry.ts'
import { isOwnKey, statusText, statusTone } from './keyStatus.ts'

export const reads = recordReads(apiKeyResource)

export default function ApiKeyPage() {
  return <ResourceLoader resource={apiKeyResource}>{(key) => <ApiKeyDetail apiKey={key} />}</ResourceLoader>
}

/** Everything that can be read about one key. */
function ApiKeyDetail({ apiKey }: { apiKey: ApiKey }) {
  const connection = useConnection()
  const navigate = useNavigate()
  const now = useNow()
  const actions = useMemo(() => {
    const leave = () => navigate({ to: paths.apiKeys(connection.id) })
    return [
      { ...rotateAction(connection, apiKey, navigate), primary: true },
      stateAction(connection, apiKey),
      deleteAction(connection, apiKey, leave),
    ]
  }, [connection, apiKey, navigate])
  const entries = apiKey.ipAccessList ?? []
  return (
    <RecordDetail
      resource={apiKeyResource}
      record={apiKey}
      actions={actions}
      state={
        <>
          <StatusChip tone={statusTone(keyStatus(apiKey, now))}>{statusText(apiKey, now)}</StatusChip>
          {isOwnKey(apiKey, connection) && <StatusChip tone="accent">This connection</StatusChip>}
        </>
      }
    >
      <Panel title="Use">
        <DescriptionList
          rows={[
            ['Key ID', <code key="suffix">…{apiKey.keySuffix}</code>],
            ['Roles', roleNames(apiKey.assignedRoles) || 'None: every request is refused'],
            ['Expires', apiKey.expireAt ? <Timestamp key="expires" iso={apiKey.expireAt} /> : 'Never'],
            ['Last used', apiKey.usedAt ? <Timestamp key="used" iso={apiKey.usedAt} /> : 'Never'],
          ]}
        />
      </Panel>
      <Panel title="Allowed from">
        {entries.length === 0 && 'Nowhere: every request is refused.'}
        <DescriptionList
          rows={entries.map(({ source, description }) => [source, description || 'No description'] as const)}
        />
      </Panel>
    </RecordDetail>
  )
}
