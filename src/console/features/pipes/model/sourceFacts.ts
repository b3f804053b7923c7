/** The source of a pipe for display: every reported field, with secrets masked. */
import { maskAddress } from '#console/ui/maskAddress.ts'
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { capitalized } from '#domain/text/words.ts'
import { fieldLabels } from './fieldLabels.ts'
import { valueLabel } from './valueLabels.ts'

const secretPattern = /password|secret|token|connectionstring|credentials|accesskey|privatekey|serviceaccountkey/i
const addressPattern = /^(uri|url|queueurl)$/i

const masked = '•••'

/** A copy of a value with secrets masked at any depth. URLs lose their credentials and query. */
export function maskSecrets(value: unknown, name = ''): unknown {
  if (value === null || value === undefined) return value
  if (secretPattern.test(name)) return masked
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, name))
  if (isPlainObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskSecrets(item, key)]))
  }
  return typeof value === 'string' && addressPattern.test(name) ? maskUrlCredentials(value) : value
}

/** URLs without user and query are shown as they are. */
function maskUrlCredentials(address: string): string {
  const bare = /^([a-z][a-z0-9+.-]*:\/\/[^/@?#]*)?(\/[^@?#]*)?$/i.test(address)
  return bare ? address : maskAddress(address)
}

/**
 * Label and value of each source field, labeled as in the form. Table mappings are left out, because they have their own
 * table.
 * @param hidden paths of the form that are left out as well
 */
export function sourceFacts(pipe: Pipe, hidden: readonly string[] = []): [label: string, value: string][] {
  const [kind, fields] = Object.entries(pipe.source ?? {}).find(([, value]) => value != null) ?? []
  if (kind === undefined || !isPlainObject(fields)) return []
  return leaves(maskSecrets(fields), `source.${kind}`)
    .filter(({ path }) => !path.includes('.tableMappings') && !hidden.includes(path))
    .map(({ path, text }) => [labelOf(path), valueLabel(path, text)])
}

const knownLabels: Partial<Record<string, string>> = fieldLabels

/** The label of the form, or one made of the path: `source.mysql.settings.pullBatchSize` -> "Settings, pull batch size". */
function labelOf(path: string): string {
  const names = path.split('.').slice(2).map(formatFieldName)
  return knownLabels[path] ?? capitalized(names.join(', '))
}

const acronyms = /\b(tls|ssl|iam|url|uri|ids?|ca|cpu)\b/g

/** `disableTls` -> "disable TLS". */
function formatFieldName(name: string): string {
  const spaced = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return spaced.replaceAll(acronyms, (word) => (word === 'ids' ? 'IDs' : word.toUpperCase()))
}

function leaves(value: unknown, path: string): { path: string; text: string }[] {
  if (value === null || value === undefined || value === '') return []
  if (isPlainObject(value)) return Object.entries(value).flatMap(([key, item]) => leaves(item, `${path}.${key}`))
  if (Array.isArray(value)) {
    if (value.length === 0) return []
    return [
      { path, text: value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item))).join(', ') },
    ]
  }
  return [{ path, text: typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value) }]
}
