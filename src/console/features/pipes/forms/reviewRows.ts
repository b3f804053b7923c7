/** The review of a new pipe: what is sent, without secrets. */
import { get } from 'react-hook-form'
import { counted } from '#domain/text/words.ts'
import { maskSecrets } from '../model/sourceFacts.ts'
import { formatColumns, formatTables } from './updateBody.ts'
import type { PipeForm } from './pipeForm.ts'
import type { Body } from './sourceBody.ts'
import { fieldLabels } from '../model/fieldLabels.ts'

const secretParts = ['password', 'secretKey', 'connectionString', 'privateKey']

/** The request body with placeholders for secrets, for use in a terminal. */
export function withPlaceholders(body: Body): Body {
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, hideSecrets(value, key)]))
}

function hideSecrets(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, name))
  if (typeof value === 'object' && value !== null) return withPlaceholders({ ...value })
  if (secretParts.includes(name) && value !== '') return '***'
  return name === 'url' ? maskSecrets(value, name) : value
}

interface ReviewRow {
  /** The path in the body. */
  path: string
  label: string
  text: string
}

/** Label and value of everything that is sent. */
export function reviewRows(form: PipeForm, body: Body): ReviewRow[] {
  return Object.entries(withPlaceholders(body)).flatMap(([key, value]) => rowsAt(value, key, form))
}

function rowsAt(value: unknown, path: string, form: PipeForm): ReviewRow[] {
  const row = (text: string): ReviewRow[] => [{ path, label: labelOf(path), text }]
  // The columns include their source fields.
  if (path === 'fieldMappings' || path.endsWith('.useCustomSortingKey')) return []
  if (path === 'destination.columns') return row(formatColumns(form.destination.columns))
  if (path === 'source.postgres.tableMappings') return row(formatTables(form.source.postgres.tableMappings))
  if (path === 'source.kafka.protobufSchema' || path === 'source.kinesis.protobufSchema') {
    return row(counted(String(get(form, path)).trim().split('\n').length, 'line'))
  }
  if (Array.isArray(value)) return row(value.join(', '))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => rowsAt(item, `${path}.${key}`, form))
  }
  return row(typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value))
}

const known: Partial<Record<string, string>> = fieldLabels

/** Settings are labeled by their keys, as in the form. */
const labelOf = (path: string) => known[path] ?? path.slice(path.lastIndexOf('.') + 1)
