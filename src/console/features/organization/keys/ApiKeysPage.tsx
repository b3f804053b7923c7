import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { rotationsQuery } from '#console/api/gateway/apiKeys.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { RecordList } from '#console/records/record/RecordList.tsx'
import { listReads } from '#console/records/record/recordCalls.ts'
import { counted } from '#domain/text/words.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import type { ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import { apiKeyResource, deleteAction, rotateAction, stateAction } from './apiKeyResource.ts'
import { keyStatus, warningDays } from '#domain/apiKeys/keyExpiry.ts'
import { accessText, isOwnKey, statusOptions, statusText, statusTone } from './keyStatus.ts'
import * as css from '../organization.module.css'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { idColumn, nameColumn } from '#console/records/record/recordColumns.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { roleNames } from '../roleOptions.ts'

export const reads = listReads(apiKeyResource)

export default function ApiKeysPage() {
  const connection = useConnection()
  const now = useNow()
  const navigate = useNavigate()
  const columns = useMemo(() => apiKeyColumns(connection, now), [connection, now])
  return (
    <RecordList
      resource={apiKeyResource}
      lead="Keys of the organization’s management API. Each has roles, addresses from which it may be used, and an expiry."
      columns={columns}
      empty="Programs sign their requests with API keys."
      newPath={paths.newApiKey(connection.id)}
      renderNotice={(keys) => <KeyNotices keys={keys} now={now} />}
      commands={(key) => [rotateAction(connection, key, navigate), stateAction(connection, key)]}
      lastActions={(key) => [deleteAction(connection, key)]}
    />
  )
}

/** Keys that stop working soon, keys that cannot be told apart, and rotations that wait for somebody. */
function KeyNotices({ keys, now }: { keys: readonly ApiKey[]; now: number }) {
  const connection = useConnection()
  const { data: rotations = [] } = useQuery(rotationsQuery(connection.id))
  const soon = keys.filter((key) => keyStatus(key, now) === 'expiring')
  const own = keys.filter((key) => isOwnKey(key, connection))
  const ownSoon = own.some((key) => soon.includes(key))
  const open = rotations.filter(({ endedAt }) => endedAt === undefined)
  if (soon.length === 0 && own.length < 2 && open.length === 0) return null
  return (
    <div className={css.notices}>
      {soon.length > 0 && (
        <Notice tone="warning">
          {counted(soon.length, 'API key')} {soon.length === 1 ? 'expires' : 'expire'} within {warningDays} days:{' '}
          {namesOf(soon)}.{' '}
          {ownSoon ? (
            <>
              {own.length > 1 ? 'One of them may be' : 'One of them is'} the key of this connection: rotate it, or the
              console loses access.
            </>
          ) : (
            'Create a new key, switch to it, then delete the old one.'
          )}
        </Notice>
      )}
      {own.length > 1 && (
        <Notice tone="info">
          {namesOf(own)} have IDs that end like that of the key of this connection. The API shows no more of an ID, so
          it cannot be told which of them the connection uses.
        </Notice>
      )}
      {open.map(({ id, oldKey, state, phase }) => (
        <Notice
          key={id}
          tone={state === 'failed' || state === 'interrupted' ? 'error' : 'info'}
          action={<TextLink to={paths.rotateApiKey(connection.id, oldKey.id)}>Open the rotation</TextLink>}
        >
          {state === 'done' && phase === 'rotate'
            ? `${oldKey.name} is rotated and disabled. It can be deleted.`
            : `The rotation of ${oldKey.name} is ${state === 'running' ? 'under way' : state}.`}
        </Notice>
      ))}
    </div>
  )
}

function namesOf(keys: readonly ApiKey[]): string {
  const names = keys.slice(0, 5).map(({ name }) => name)
  const rest = keys.length - names.length
  return names.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
function apiKeyColumns(connection: Connection, now: number): Column<ApiKey>[] {
  return [
    nameColumn({ grow: 1, width: 180, name: (key) => key.name, to: (key) => paths.apiKey(connection.id, key.id) }),
    {
      id: 'state',
      title: 'State',
      width: 150,
      type: 'choice',
      options: statusOptions,
      value: (key) => keyStatus(key, now),
      cell: (key) => <StatusChip tone={statusTone(keyStatus(key, now))}>{statusText(key, now)}</StatusChip>,
    },
    { id: 'roles', title: 'Roles', grow: 0.8, width: 150, value: (key) => roleNames(key.assignedRoles) },
    { id: 'access', title: 'Allowed from', width: 170, value: accessText },
    {
      id: 'suffix',
      title: 'Key ID',
      width: 170,
      value: (key) => key.keySuffix,
      cell: (key) => (
        <span className={css.keyId}>
          <code>…{key.keySuffix}</code>
          {isOwnKey(key, connection) && <StatusChip tone="accent">This connection</StatusChip>}
        </span>
      ),
    },
    { id: 'used', title: 'Last used', width: 105, type: 'timestamp', value: (key) => key.usedAt },
    { id: 'expires', title: 'Expires', width: 105, type: 'timestamp', value: (key) => key.expireAt },
    { id: 'created', title: 'Created', width: 105, hidden: true, type: 'timestamp', value: (key) => key.createdAt },
    idColumn(290),
  ]
}
