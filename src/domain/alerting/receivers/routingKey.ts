/** The keys of PagerDuty, which are parts of bodies. They are masked wherever a body is shown. */

/** What bodies of earlier versions had in the place of a key. */
export const routingKeyPlaceholder = 'YOUR_ROUTING_KEY'

/** The keys of a body. A variable of the template is none. */
const written = /("(?:routing_key|service_key)"\s*:\s*")(?!YOUR_ROUTING_KEY")([^"\\{}]+)(?=")/g

/** The body with its keys replaced by a mask, or by what a key has in its place. */
export function maskRoutingKeys(body: string, mask: string | ((key: string) => string)): string {
  return body.replaceAll(
    written,
    (_, before: string, key: string) => before + (typeof mask === 'string' ? mask : mask(key)),
  )
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
