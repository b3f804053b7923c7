/** A new pipe before it is made: what is sent, secrets left out. */
import { bodyRows, withoutSecrets } from '../sourceFacts.ts'
import { columnWords, tableWords } from './updateBody.ts'
import type { PipeForm } from './pipeForm.ts'
import type { Body } from './sourceBody.ts'

const secretParts = ['password', 'secretKey', 'connectionString', 'privateKey']

/** The body for a terminal: secrets are for the reader to fill in. */
export function withPlaceholders(body: Body): Body {
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, hidden(value, key)]))
}

function hidden(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => hidden(item, name))
  if (typeof value === 'object' && value !== null) return withPlaceholders({ ...value })
  if (secretParts.includes(name) && value !== '') return '***'
  return name === 'url' ? withoutSecrets(value, name) : value
}

const group = (value: unknown): Body => (typeof value === 'object' && value !== null ? { ...value } : {})

/** Name and value of everything that is sent. */
export function reviewRows(form: PipeForm, body: Body): [name: string, value: string][] {
  const { columns, tableDefinition, ...destination } = group(body['destination'])
  const { tableMappings, ...arm } = group(group(body['source'])[form.kind])
  return [
    ...bodyRows(withPlaceholders(group(arm))),
    ...(tableMappings ? [['Tables', tableWords(form.source.postgres.tableMappings)] as [string, string]] : []),
    ...bodyRows(destination),
    ...bodyRows(tableDefinition),
    ...(columns ? [['Columns', columnWords(form.destination.columns)] as [string, string]] : []),
    ...bodyRows(body['scaling']),
    ...bodyRows(body['settings']),
  ]
}
