/** Any request of the console as a command for a terminal, straight to the deployment. Keys stay placeholders. */
import type { Connection } from '#contract/console/connections.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import { fillPath, pathTemplate, type Endpoint, type Input } from '#contract/wire/kernel.ts'
import { namingProfiles, toWire } from '#contract/wire/naming.ts'

/**
 * Path and body in the deployment's own spelling; null if the connection's variant has no such address.
 * `$KEY`, `$KEY_ID` and `$KEY_SECRET` are for the reader to fill.
 */
export function curlOf<E extends Endpoint>(connection: Connection, endpoint: E, input: Input<E>): string | null {
  const names = namingProfiles[connection.naming]
  const template = pathTemplate(endpoint, connection.variant, names)
  if (template === null) return null
  // Input<E> is a conditional type that TypeScript cannot open while E is unknown: these are its possible parts.
  const { params, body } = input as { params?: Record<string, string>; body?: unknown }
  const { organizationId, serviceId } = connection
  const url = connection.baseUrl.replace(/\/$/, '') + fillPath(template, { organizationId, serviceId, ...params })
  const sent = endpoint.scope === 'stack' ? body : toWire(body, names)
  const parts = [
    `curl ${endpoint.method === 'GET' ? '' : `-X ${endpoint.method} `}${quoted(url)}`,
    connection.variant === 'managed' ? '-u "$KEY_ID:$KEY_SECRET"' : '-H "Authorization: Bearer $KEY"',
    ...(sent === undefined ? [] : [`-H 'Content-Type: application/json'`, `--data ${quoted(stringifyJson(sent, 2))}`]),
  ]
  return parts.join(' \\\n  ')
}

/** Quotes any text for a POSIX shell. */
const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`
