/**
 * Edits of records with masked secrets: the URL of a webhook is shown masked, but an update must send all of it. A mask
 * that comes back unchanged is replaced by the stored value.
 */
import { webhooks } from '#contract/stack/webhooks.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { containsMask, unmasked } from '#node/upstream/masks.ts'

/** Whether a body has masks, so that the stored record must be read first. */
export function hasMaskedSecrets(endpoint: Endpoint, body: unknown): body is object {
  return endpoint === webhooks.update && isPlainObject(body) && containsMask(body)
}

/** The body with masks replaced. A mask that differs from the one that was shown stays, and is refused later. */
export function restoreSecrets(endpoint: Endpoint, body: unknown, current: unknown): unknown {
  return hasMaskedSecrets(endpoint, body) && isPlainObject(current) ? unmasked(endpoint, body, current) : body
}
