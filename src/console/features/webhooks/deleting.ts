/** Deleting webhooks, and making them again as far as they could be read. */
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { invalidate } from '#console/api/queries.ts'
import { restoreAll } from '#console/shell/bulk/restoreAll.ts'
import { counted } from '#console/ui/format.ts'
import type { Connection } from '#contract/connections.ts'
import { webhookInput, webhooks, type Webhook } from '#contract/webhooks.ts'
import { hidesBody, readForm, sameShown, withAddress, writeBody } from './webhookForm.ts'
import { ignoreNotFound } from '#console/api/ignoreNotFound.ts'

/**
 * Throws ApiFailure, `conflict` while an alert depends on it and where somebody changed it after it was read, but not
 * where it is gone already.
 */
export function deleteWebhook(connectionId: string, webhook: Webhook): Promise<void> {
  const deleting = guardedWrite({
    base: webhook,
    record: webhooks.update.result,
    unchanged: (now) => sameShown(now, webhook) && now.updatedAt === webhook.updatedAt,
    write: (base) => call(connectionId, webhooks.delete, { params: { webhookId: webhook.id } }, { base }),
  })
  return ignoreNotFound(deleting)
}

/** An address that is masked on its way here cannot be sent again, nor a body that is not answered. */
export function comesBack(webhook: Webhook): boolean {
  return webhook.url !== undefined && !webhook.url.includes('•') && !hidesBody(webhook)
}

/** Creates them again: new ids, and without what could not be read. */
export async function restoreWebhooks(connection: Connection, deleted: readonly Webhook[]): Promise<void> {
  const secrets = deleted.every(({ service }) => service === 'slack')
    ? ''
    : ' Headers and query parameters, if there were any, must be entered again.'
  await restoreAll(deleted, {
    connection,
    title: `Bring back ${counted(deleted.length, 'webhook')}`,
    nameOf: ({ name }) => name,
    make: (webhook) => {
      const body = webhookInput.parse(writeBody(withAddress(readForm(webhook), webhook), null))
      return call(connection.id, webhooks.create, { body })
    },
    one: (_, again) => `Webhook ${again.name} is back with the id ${again.id}.${secrets}`,
    many: (count) => `${count} webhooks are back with new ids.${secrets}`,
  })
  await invalidate(connection.id, 'webhooks')
}
