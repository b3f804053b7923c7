/** The form of a query endpoint: what is read, and the body that replaces all of it. */
import { z } from 'zod'
import { queryAddress, serviceEndpoints, type QueryEndpoint } from '#contract/cloud/services/serviceEndpoints.ts'
import type { PartModel } from '../parts/servicePart.ts'

export type QueryEndpointForm = { roles: string[]; keyIds: string[]; origins: string[] }

const roleLabels: Record<string, string> = {
  sql_console_read_only: 'Read only',
  sql_console_admin: 'Full access',
}

/** Unknown roles have no other name. */
export const roleLabel = (role: string): string => roleLabels[role] ?? role

const origin = /^https?:\/\/[^\s,/]+$|^\*$/

const schema: z.ZodType<QueryEndpointForm, QueryEndpointForm> = z.object({
  roles: z.array(z.string()).min(1, 'Choose at least one role'),
  keyIds: z.array(z.string()).max(100, 'At most 100 keys'),
  origins: z.array(z.string()).superRefine((list, context) => {
    const wrong = list.find((entry) => !origin.test(entry))
    if (wrong === undefined) return
    const message = `"${wrong}" is not an origin such as https://app.example.com, without a path`
    context.addIssue({ code: 'custom', message })
  }),
})

export const queryEndpointModel = (keyName: (id: string) => string): PartModel<QueryEndpoint, QueryEndpointForm> => ({
  noun: 'query endpoint',
  endpoint: serviceEndpoints.query,
  titles: { roles: 'Roles', keyIds: 'API keys', origins: 'Allowed origins' },
  read: (stored) => ({
    roles: stored ? (stored.roles ?? []) : ['sql_console_read_only'],
    keyIds: stored?.openApiKeys ?? [],
    origins: (stored?.allowedOrigins ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  }),
  schema,
  formatValue: (field, form) => (field === 'keyIds' ? form.keyIds.map(keyName) : form[field].map(roleLabel)).join(', '),
  wireNames: { keyIds: 'openApiKeys', origins: 'allowedOrigins' },
})

/** The whole endpoint, because it is replaced: fields that the form does not know are sent as they were read. */
export function queryEndpointBody(form: QueryEndpointForm, base: QueryEndpoint | null) {
  const { id: _id, ...others } = base ?? {}
  return {
    ...others,
    roles: form.roles,
    openApiKeys: form.keyIds,
    allowedOrigins: form.origins.join(','),
  }
}

/** Where queries are sent: known for the address of the vendor's cloud, otherwise to be filled in. */
export function queryHost(baseUrl: string): string {
  const address = queryAddress(baseUrl)
  return address === baseUrl ? '$QUERY_HOST' : new URL(address).origin
}

/** A query as a command. The key stays a placeholder. */
export function queryCommand(baseUrl: string, serviceId: string): string {
  return [
    `curl -X POST "${queryHost(baseUrl)}/service/${serviceId}/run?format=JSONEachRow"`,
    '-u "$KEY_ID:$KEY_SECRET"',
    "-H 'Content-Type: application/json'",
    "-H 'x-service-type: clickhouse'",
    "-H 'auth-provider: custom'",
    `--data '{"sql": "SELECT 1"}'`,
  ].join(' \\\n  ')
}
