import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import type { ApiKey } from '#contract/apiKeys.ts'
import type { Connection } from '#contract/connections.ts'
import { roleNames } from '../roleOptions.ts'
import { keyStatus } from '#domain/apiKeys/keyExpiry.ts'
import { accessText, isOwnKey, statusOptions, statusText, statusTone } from './keyStatus.ts'
import css from './columns.module.css'

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
export function apiKeyColumns(connection: Connection, now: number): Column<ApiKey>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      grow: 1,
      width: 180,
      value: (key) => key.name,
      cell: (key) => (
        <TextLink to={paths.apiKey(connection.id, key.id)} row>
          {key.name}
        </TextLink>
      ),
    },
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
    { id: 'id', title: 'ID', width: 290, hidden: true, value: ({ id }) => id, cell: ({ id }) => <code>{id}</code> },
  ]
}
