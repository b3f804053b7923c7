/** Webhooks. Their URL and body are the secrets that the provider marks as such. */
import { noteUnknownFields, type Description } from './description.ts'
import type { Attribute } from './hcl.ts'

const known = ['name', 'service', 'url', 'description', 'body', 'headers', 'queryParams']

export const describeWebhook: Description = (record, scope) => {
  const { name, service, description, body } = record
  noteUnknownFields(record, known, scope)
  if (service !== 'slack') {
    scope.note(
      'Deployments do not return headers and query parameters: they stay as they are until the URL or the service changes.',
    )
  }
  if (service === 'incidentio') {
    scope.note('Deployments do not return this body: add it before the first change, which would empty it.')
  }
  const attributes: Attribute[] = [
    ['name', text(name)],
    ['service', text(service)],
    ['url', scope.secret('url', 'The stored URL')],
  ]
  if (typeof description === 'string') attributes.push(['description', description])
  if (typeof body === 'string') attributes.push(['body', scope.secret('body', 'The stored body')])
  return attributes
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
