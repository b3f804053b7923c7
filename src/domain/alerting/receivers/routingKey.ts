/** The keys of PagerDuty, which are parts of bodies. They are masked wherever a body is shown. */

/** The text that bodies of earlier versions had in the place of a key. */
export const routingKeyPlaceholder = 'YOUR_ROUTING_KEY'

/** The keys of a body. A variable of the template is none. */
const written = /("(routing_key|service_key)"\s*:\s*")(?!YOUR_ROUTING_KEY")([^"\\{}]+)(?=")/g

/** The body with its keys replaced by a mask, or by what a key has in its place. */
export function maskRoutingKeys(body: string, mask: string | ((key: string) => string)): string {
  return body.replaceAll(
    written,
    (_, before: string, __: string, key: string) => before + (typeof mask === 'string' ? mask : mask(key)),
  )
}

/** The keys that a body has. */
export const routingKeysIn = (body: string): string[] => [...body.matchAll(written)].map(([, , , key = '']) => key)

/** The different keys of each field, in the order of the body. */
export function keysByField(body: string): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  for (const [, , field = '', key = ''] of body.matchAll(written)) {
    fields.set(field, [...new Set([...(fields.get(field) ?? []), key])])
  }
  return fields
}

/**
 * The body with its masks replaced by the keys of the stored body, by the names of their fields. Masks without a stored key
 * stay, as do those of a field that has several different ones.
 */
export function unmaskRoutingKeys(body: string, mask: string, stored: string): string {
  const keys = keysByField(stored)
  return body.replaceAll(written, (found: string, before: string, field: string, key: string) => {
    const [own, ...others] = keys.get(field) ?? []
    return key === mask && own !== undefined && others.length === 0 ? before + own : found
  })
}

/** The placeholder in files for a key: `"routing_key": "${STACK_WEBHOOK_ROUTING_KEY_ON_CALL}"`. */
const variables = /("(routing_key|service_key)"\s*:\s*")\$\{([A-Z][A-Z0-9_]*)\}(?=")/g

/** The body with its keys replaced by variables. @param nameOf of a field and the position of the key among its different ones */
export function withKeyVariables(body: string, nameOf: (field: string, index: number) => string): string {
  const keys = keysByField(body)
  return body.replaceAll(written, (_, before: string, field: string, key: string) => {
    const name = nameOf(field, keys.get(field)?.indexOf(key) ?? 0)
    return `${before}\${${name}}`
  })
}

/** The variables that stand for keys of a body. */
export const routingKeyVariables = (body: string): { field: string; variable: string }[] =>
  [...body.matchAll(variables)].map(([, , field = '', variable = '']) => ({ field, variable }))

/** The body with keys in place of their variables. A variable without a key stays. */
export function withKeys(body: string, keys: ReadonlyMap<string, string>): string {
  return body.replaceAll(variables, (found: string, before: string, _: string, variable: string) => {
    const key = keys.get(variable)
    return key === undefined ? found : before + JSON.stringify(key).slice(1, -1)
  })
}
