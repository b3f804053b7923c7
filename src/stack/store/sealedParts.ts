/** Which parts of records are secrets, and how they are removed from a document. */
import { isPlainObject } from '#domain/json/plainObject.ts'

type Path = readonly string[]

const none: readonly Path[] = []

/**
 * The secret fields of every table of documents. They must not be readable in the database or in a copy of it. URLs are
 * included, because they may contain a token.
 */
const fields = {
  activities: none,
  alerts: none,
  api_keys: none,
  dashboards: none,
  invitations: [['token']],
  members: [['accessKey'], ['passwordHash']],
  organization_invitations: none,
  organization_members: none,
  organization_roles: none,
  organizations: none,
  pipes: [
    ['internal', 'secrets'],
    ['source', 'objectStorage', 'url'],
    ['source', 'objectStorage', 'connectionString'],
  ],
  saved_searches: none,
  service_backups: none,
  services: [['internal', 'bucket', 'secret']],
  sources: none,
  webhooks: [['url'], ['headers'], ['queryParams'], ['body']],
} satisfies Record<string, readonly Path[]>

/** A table whose rows are documents. A new one does not compile without its secret fields. */
export type DocumentTable = keyof typeof fields

export const sealedFields: Readonly<Record<DocumentTable, readonly Path[]>> = fields

/** The tables with secrets. They have a column for them, `sealed`. */
// Object.keys loses the type of its keys: they are those of `fields`.
export const sealedTables = (Object.keys(fields) as DocumentTable[]).filter((table) => fields[table].length > 0)

/** Settings that are encrypted as a whole: the stack's own keys. */
export const sealedSettings: readonly string[] = ['identity']

/** Values with the path of their field. */
export type SecretValues = readonly (readonly [Path, unknown])[]

/** Separates a document from its secrets. */
export function withoutSecrets(document: object, paths: readonly Path[]): { shown: object; parts: SecretValues } {
  const parts = paths.flatMap((path) => {
    const value = valueAt(document, path)
    return value === undefined ? [] : [[path, value] as const]
  })
  return { shown: parts.reduce((rest, [path]) => changedAt(rest, path, undefined), document), parts }
}

export function withSecrets(shown: object, parts: SecretValues): object {
  return parts.reduce((document, [path, value]) => changedAt(document, path, value), shown)
}

function valueAt(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return value
  return isPlainObject(value) ? valueAt(value[name], rest) : undefined
}

/** A copy with a changed field; without the field if the value is undefined. */
function changedAt(document: object, [name, ...rest]: Path, value: unknown): object {
  if (name === undefined) return document
  const { [name]: old, ...others } = document as Record<string, unknown> // any object has fields by name
  const changed = rest.length === 0 ? value : changedAt(isPlainObject(old) ? old : {}, rest, value)
  return changed === undefined ? others : { ...others, [name]: changed }
}
