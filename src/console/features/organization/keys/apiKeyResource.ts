/** API keys as a resource, and the actions on them. A new key also has a secret, so its page is its own. */
import type { UseNavigateResult } from '@tanstack/react-router'
import { Power, PowerOff, RefreshCw, Trash2 } from 'lucide-react'
import { call } from '#console/api/call.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { evictRecords } from '#console/records/record/recordCalls.ts'
import { defineResource } from '#console/records/record/resource.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { apiKeys, type ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import type { Connection } from '#contract/console/connections.ts'
import { leavesNoLastingAdminKey, type KeyChange } from '#domain/apiKeys/adminKeys.ts'
import { isOwnKey } from './keyStatus.ts'

export const apiKeyResource = defineResource({
  api: { list: apiKeys.list, get: apiKeys.get, update: apiKeys.update },
  idParams: ['apiKeyId'],
  paths: { list: paths.apiKeys, detail: paths.apiKey, edit: paths.editApiKey },
  nameOf: ({ name }) => name,
})

/** Leads to the rotation of the key that the connection uses. */
export function rotateAction(connection: Connection, key: ApiKey, navigate: UseNavigateResult<string>): Action {
  return {
    label: 'Rotate…',
    icon: RefreshCw,
    disabled: isOwnKey(key, connection) ? undefined : 'Only the key of the connection can be rotated here.',
    run: () => void navigate({ to: paths.rotateApiKey(connection.id, key.id) }),
  }
}

/** Enables or disables a key. */
export function stateAction(connection: Connection, key: ApiKey): Action {
  const disabled = key.state === 'disabled'
  return {
    label: disabled ? 'Enable' : 'Disable',
    icon: disabled ? Power : PowerOff,
    disabled: lockReason(connection),
    run: () => void switchKey(connection, key, disabled ? 'enabled' : 'disabled'),
  }
}

/** Added to a question where nobody could make a new key some day. */
const lastAdminText =
  ' After that, no API key with the role Admin is left that lasts longer than 14 days. Without one, nobody can make keys any more: create one first.'

/** Keys are read again, because the warning is worth a request. Where they cannot be read, there is none. */
async function lastAdminWarning({ id }: Connection, key: ApiKey, change: KeyChange): Promise<string> {
  try {
    const keys = await queryClient.fetchQuery(q(id, apiKeys.list, {}))
    return leavesNoLastingAdminKey(keys, key.id, change, Date.now()) ? lastAdminText : ''
  } catch {
    return ''
  }
}

async function switchKey(connection: Connection, key: ApiKey, state: 'enabled' | 'disabled'): Promise<void> {
  const warning = state === 'enabled' ? '' : await lastAdminWarning(connection, key, { state })
  const sure =
    state === 'enabled' ||
    (await confirm({
      title: `Disable API key ${key.name}?`,
      body:
        (isOwnKey(key, connection)
          ? 'This connection uses a key that ends like this one. If it is this key, the console loses access at once.'
          : 'Requests with this key are refused at once, until it is enabled again.') + warning,
      action: 'Disable key',
      danger: true,
    }))
  if (!sure) return
  await runWithToast(
    () => call(connection.id, apiKeys.update, { params: { apiKeyId: key.id }, body: { state } }, { base: key }),
    `API key ${key.name} ${state}`,
  )
  await invalidate(connection.id, 'apiKeys')
}

/** @param leave goes to the list, where the key's own page is open */
export function deleteAction(
  connection: Connection,
  key: ApiKey,
  leave?: () => Promise<void>,
): Action & { danger: true } {
  return {
    label: 'Delete',
    icon: Trash2,
    danger: true,
    disabled: lockReason(connection),
    run: () => void deleteKey(connection, key, leave),
  }
}

async function deleteKey(connection: Connection, key: ApiKey, leave?: () => Promise<void>): Promise<void> {
  const warning = await lastAdminWarning(connection, key, null)
  const sure = await confirm({
    title: `Delete API key ${key.name}?`,
    body: `Requests with this key are refused at once. A deleted key cannot be restored. You cannot delete the key that this connection uses.${warning}`,
    action: 'Delete API key',
    danger: true,
    typed: key.name,
    irreversible: true,
  })
  if (!sure) return
  try {
    await call(connection.id, apiKeys.delete, { params: { apiKeyId: key.id } }, { base: key })
  } catch (error) {
    await invalidate(connection.id, 'apiKeys')
    toastFailure(error)
    return
  }
  await leave?.()
  toast({ tone: 'ok', text: `API key ${key.name} deleted` })
  await evictRecords(apiKeyResource, connection.id, [[key.id]])
}
