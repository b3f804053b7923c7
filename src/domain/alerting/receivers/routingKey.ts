/** The key of a PagerDuty integration, which is a part of the body. It is masked wherever a body is shown. */
import { textPart } from './bodyParts.ts'

export const routingKeyPart = textPart(String.raw`"routing_key"\s*:\s*`)

/** What bodies of earlier versions had in its place. */
export const routingKeyPlaceholder = 'YOUR_ROUTING_KEY'

/** The keys of a body. A variable of the template is none. */
const written = /("(?:routing_key|service_key)"\s*:\s*")(?!YOUR_ROUTING_KEY")([^"\\{}]+)(?=")/g

/** The body with its keys replaced by a mask. */
export function maskRoutingKeys(body: string, mask: string): string {
  return body.replaceAll(written, (_, before: string) => before + mask)
}

/** The keys that a body has. */
export const routingKeysIn = (body: string): string[] => [...body.matchAll(written)].map(([, , key = '']) => key)

/** The body with its masks replaced by the keys of the stored body. Masks without a stored key stay. */
export function unmaskRoutingKeys(body: string, mask: string, stored: string): string {
  const keys = routingKeysIn(stored)
  let at = 0
  return body.replaceAll(written, (found: string, before: string, key: string) => {
    const own = keys[at++]
    return key === mask && own !== undefined ? before + own : found
  })
}
