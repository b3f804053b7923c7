/** What a pipe reads, for the eye: every field that the deployment tells, with what may be a secret left out. */
import { maskAddress } from '#console/ui/maskAddress.ts'
import type { Pipe } from '#contract/pipes.ts'
import { capitalized } from '#console/ui/format.ts'

const secretPattern = /password|secret|token|connectionstring|credentials|accesskey|privatekey|serviceaccountkey/i
const addressPattern = /^(uri|url|queueurl)$/i

const masked = '•••'

/** The same value with secrets masked, however deep they lie. Addresses lose their user and their query. */
export function maskSecrets(value: unknown, name = ''): unknown {
  if (value === null || value === undefined) return value
  if (secretPattern.test(name)) return masked
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, name))
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskSecrets(item, key)]))
  }
  return typeof value === 'string' && addressPattern.test(name) ? maskUrlCredentials(value) : value
}

/** A path may be looked at; who signs in, and what is signed, may not. */
function maskUrlCredentials(address: string): string {
  const bare = /^([a-z][a-z0-9+.-]*:\/\/[^/@?#]*)?(\/[^?#]*)?$/i.test(address)
  return bare ? address : maskAddress(address)
}

/** `tableMappings` -> "Table mappings". */
export function formatFieldName(name: string): string {
  const spaced = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return capitalized(spaced)
}

/** Rows of the filled arm of a source, tables apart: those are a table of their own. */
export function sourceRows(pipe: Pipe): [name: string, value: string][] {
  const sourceFields = Object.entries(pipe.source ?? {}).find(([, one]) => one != null)?.[1]
  if (typeof sourceFields !== 'object' || sourceFields === null) return []
  return rowsOf(maskSecrets(sourceFields), '').filter(([name]) => !name.startsWith('Table mappings'))
}

/** The name under which the rows have a field of an arm: `settings.pullBatchSize` -> "Settings, pull batch size". */
export function rowLabel(path: readonly string[]): string {
  const [first = '', ...others] = path.map(formatFieldName)
  return [first, ...others.map((name) => name.toLowerCase())].join(', ')
}

function rowsOf(value: unknown, name: string): [string, string][] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value === 'object' && !Array.isArray(value) && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.entries(value).flatMap(([key, item]) =>
      rowsOf(item, name === '' ? formatFieldName(key) : `${name}, ${formatFieldName(key).toLowerCase()}`),
    )
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return []
    return [[name, value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item))).join(', ')]]
  }
  return [[name, typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)]]
}
