/**
 * Editing what holds a secret without knowing it: the address of a webhook is shown masked, and an update must send it
 * whole. A mask that comes back untouched is filled with what the deployment has.
 */
import { webhooks } from '#contract/webhooks.ts'
import { fillPath, pathTemplate, type Endpoint } from '#contract/kernel.ts'
import type { Deployments } from './deployments.ts'
import { holdsMask, unmasked } from './masks.ts'
import type { Target } from './target.ts'

/** The body to send. A mask that is not exactly the one that was shown stays, and is refused as any other is. */
export async function withKeptSecrets(
  deployments: Deployments,
  target: Target,
  endpoint: Endpoint,
  ids: Record<string, string>,
  body: unknown,
): Promise<unknown> {
  if (endpoint !== webhooks.update || target.readOnly || !isObject(body) || !holdsMask(body)) return body
  const current = await readWebhook(deployments, target, ids['webhookId'] ?? '')
  return current ? unmasked(endpoint, body, current) : body
}

/** Deployments have no read of one webhook: it is found in the list. */
async function readWebhook(deployments: Deployments, target: Target, id: string): Promise<object | undefined> {
  const template = pathTemplate(webhooks.list, target.variant, target.names)
  if (template === null) return undefined
  const { organizationId, serviceId } = target
  const path = fillPath(template, { organizationId, serviceId })
  const { result } = await deployments.readAll(target, { endpoint: webhooks.list, path, priority: 'user' })
  return Array.isArray(result) ? result.filter(isObject).find((one) => 'id' in one && one.id === id) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
