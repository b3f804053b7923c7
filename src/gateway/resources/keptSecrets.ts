/**
 * Editing what holds a secret without knowing it: the address of a webhook is shown masked, and an update must send it
 * whole. A mask that comes back untouched is filled with what the deployment has.
 */
import { webhooks } from '#contract/webhooks.ts'
import type { Endpoint } from '#contract/kernel.ts'
import { holdsMask, unmasked } from './masks.ts'

/** Whether parts of a body stand for what is stored, so that it has to be read first. */
export function keepsSecrets(endpoint: Endpoint, body: unknown): body is object {
  return endpoint === webhooks.update && isObject(body) && holdsMask(body)
}

/** The body to send. A mask that is not exactly the one that was shown stays, and is refused as any other is. */
export function withKeptSecrets(endpoint: Endpoint, body: unknown, current: unknown): unknown {
  return keepsSecrets(endpoint, body) && isObject(current) ? unmasked(endpoint, body, current) : body
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
