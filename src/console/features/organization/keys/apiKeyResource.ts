/** API keys as a resource, and the actions on them. A new key also has a secret, so its page is its own. */
import { KeyRound, Power, PowerOff, Trash2 } from 'lucide-react'
import { call } from '#console/api/call.ts'
import { invalidate } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { evictRecords } from '#console/shell/record/recordCalls.ts'
import { defineResource } from '#console/shell/record/resource.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { apiKeys, type ApiKey } from '#contract/apiKeys.ts'
import type { Connection } from '#contract/connections.ts'
import { isOwnKey } from './keyStatus.ts'

export const apiKeyResource = defineResource({
  api: { list: apiKeys.list, get: apiKeys.get, update: apiKeys.update },
  noun: 'API key',
  icon: KeyRound,
  idParams: ['apiKeyId'],
  paths: { list: paths.apiKeys, detail: paths.apiKey, edit: paths.editApiKey },
  nameOf: ({ name }) => name,
})

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

async function switchKey(connection: Connection, key: ApiKey, state: 'enabled' | 'disabled'): Promise<void> {
  const sure =
    state === 'enabled' ||
    (await confirm({
      title: `Disable ${key.name}?`,
      body: isOwnKey(key, connection)
        ? 'This connection uses a key that ends like this one. If it is this key, the console loses access at once.'
        : 'Requests with this key are refused at once, until it is enabled again.',
      action: 'Disable key',
      danger: true,
    }))
  if (!sure) return
  try {
    await call(connection.id, apiKeys.update, { params: { apiKeyId: key.id }, body: { state } }, { base: key })
    toast({ tone: 'ok', text: `API key ${key.name} is ${state}.` })
  } catch (error) {
    toastFailure(error)
  } finally {
    await invalidate(connection.id, 'apiKeys')
  }
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
  const sure = await confirm({
    title: `Delete ${key.name}?`,
    body: 'Requests with this key are refused at once. A deleted key cannot be restored. The key of this connection cannot be deleted with itself.',
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
  toast({ tone: 'ok', text: `API key ${key.name} deleted.` })
  await evictRecords(apiKeyResource, connection.id, [[key.id]])
}
