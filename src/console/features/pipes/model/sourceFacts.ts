/** What a pipe reads, for the eye: every field that the deployment tells, with what may be a secret left out. */
import { maskAddress } from '#console/ui/maskAddress.ts'
import type { Pipe } from '#contract/pipes.ts'
import { capitalized } from '#console/ui/format.ts'

const secretName = /password|secret|token|connectionstring|credentials|accesskey|privatekey|serviceaccountkey/i
const addressName = /^(uri|url|queueurl)$/i

const masked = '•••'

/** The same value with secrets masked, however deep they lie. Addresses lose their user and their query. */
export function withoutSecrets(value: unknown, name = ''): unknown {
  if (value === null || value === undefined) return value
  if (secretName.test(name)) return masked
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, name))
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, key)]))
  }
  return typeof value === 'string' && addressName.test(name) ? safeAddress(value) : value
}

/** A path may be looked at; who signs in, and what is signed, may not. */
function safeAddress(address: string): string {
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
  const arm = Object.entries(pipe.source ?? {}).find(([, one]) => one != null)?.[1]
  if (typeof arm !== 'object' || arm === null) return []
  return rowsOf(withoutSecrets(arm), '').filter(([name]) => !name.startsWith('Table mappings'))
}

/** The name under which the rows have a field of an arm: `settings.pullBatchSize` -> "Settings, pull batch size". */
export function rowName(path: readonly string[]): string {
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
