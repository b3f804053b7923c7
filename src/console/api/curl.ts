/** Any request of the console as a command for a terminal, straight to the deployment. Keys stay placeholders. */
import type { Connection } from '#contract/connections.ts'
import { stringifyJson } from '#contract/json.ts'
import { fillPath, pathTemplate, type Endpoint, type Input } from '#contract/kernel.ts'
import { namingProfiles } from '#contract/naming.ts'

/** Null where the connection's variant has no such address. `$KEY`, `$KEY_ID` and `$KEY_SECRET` are for the reader to fill. */
export function curlOf<E extends Endpoint>(connection: Connection, endpoint: E, input: Input<E>): string | null {
  const template = pathTemplate(endpoint, connection.variant, namingProfiles[connection.naming])
  if (template === null) return null
  // Input<E> is a conditional type that TypeScript cannot open while E is unknown: these are its possible parts.
  const { params, body } = input as { params?: Record<string, string>; body?: unknown }
  const { organizationId, serviceId } = connection
  const url = connection.baseUrl.replace(/\/$/, '') + fillPath(template, { organizationId, serviceId, ...params })
  const parts = [
    `curl ${endpoint.method === 'GET' ? '' : `-X ${endpoint.method} `}${quoted(url)}`,
    connection.variant === 'managed' ? '-u "$KEY_ID:$KEY_SECRET"' : '-H "Authorization: Bearer $KEY"',
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `--data ${quoted(stringifyJson(body, 2))}`]),
  ]
  return parts.join(' \\\n  ')
}

/** Safe in any POSIX shell, whatever it holds. */
const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`
