/** The credentials of a webhook, which files have variables in place of: its URL, and the keys in its body. */
import { keysByField, routingKeyVariables, withKeyVariables, withKeys } from '../alerting/receivers/routingKey.ts'
import type { JsonObject } from '../json/json.ts'
import { nameOf } from '../records/directory.ts'
import { slugOf } from '../text/slug.ts'

/** A value that is taken from the environment: `${STACK_WEBHOOK_URL_ON_CALL}`. */
const placeholder = /^\$\{([A-Z][A-Z0-9_]*)\}$/

/** The placeholder in files for a credential. */
export interface SecretVariable {
  variable: string
  of: 'url' | 'routingKey'
}

/** The webhook with variables in place of its credentials. */
export function withVariables(record: JsonObject): JsonObject {
  const { url, body } = record
  return {
    ...record,
    ...(url !== undefined && { url: `\${${variableName('URL', record)}}` }),
    ...(typeof body === 'string' && { body: withKeyVariables(body, keyVariables(record)) }),
  }
}

/** The variables of a file. */
export function variablesOf({ url, body }: JsonObject): SecretVariable[] {
  const own = typeof url === 'string' ? placeholder.exec(url)?.[1] : undefined
  const keys = typeof body === 'string' ? routingKeyVariables(body) : []
  return [
    ...(own === undefined ? [] : [{ variable: own, of: 'url' as const }]),
    ...[...new Set(keys.map(({ variable }) => variable))].map((variable) => ({ variable, of: 'routingKey' as const })),
  ]
}

/**
 * The webhook of a file with its credentials: those that somebody gave, otherwise the stored ones. A stored key is only for
 * the URL and the service that it is stored with, so that a file cannot send it to another host.
 * @returns also the variables that nothing is stored for
 */
export function withStoredSecrets(
  record: JsonObject,
  stored: JsonObject | undefined,
  valueOf: (variable: SecretVariable) => string | undefined,
): { record: JsonObject; needed: (SecretVariable & { isKnown: boolean })[] } {
  const needed: (SecretVariable & { isKnown: boolean })[] = []
  const values = new Map<string, string>()
  const fill = (variable: SecretVariable, kept: unknown) => {
    const provided = valueOf(variable)
    if (typeof kept !== 'string') needed.push({ ...variable, isKnown: provided !== undefined })
    const value = provided ?? kept
    return typeof value === 'string' ? value : undefined
  }
  const variables = variablesOf(record)
  const ofUrl = variables.find(({ of }) => of === 'url')
  const url = (ofUrl && fill(ofUrl, stored?.['url'])) ?? record['url']
  const { body } = record
  if (typeof body !== 'string') return { record: { ...record, ...(url !== undefined && { url }) }, needed }
  const isSameReceiver = stored?.['url'] === url && stored?.['service'] === record['service']
  const storedKey = stored && isSameReceiver ? storedKeys(stored) : () => undefined
  for (const routingKeyVariable of routingKeyVariables(body)) {
    if (
      values.has(routingKeyVariable.variable) ||
      needed.some(({ variable }) => variable === routingKeyVariable.variable)
    )
      continue
    const value = fill({ variable: routingKeyVariable.variable, of: 'routingKey' }, storedKey(routingKeyVariable))
    if (value !== undefined) values.set(routingKeyVariable.variable, value)
  }
  return { record: { ...record, ...(url !== undefined && { url }), body: withKeys(body, values) }, needed }
}

/** The key that a variable stands for: the only one of its field, otherwise the one that is exported under its name. */
function storedKeys(stored: JsonObject) {
  const { body } = stored
  const keys = typeof body === 'string' ? keysByField(body) : new Map<string, string[]>()
  const names = keyVariables(stored)
  return ({ field, variable }: { field: string; variable: string }): string | undefined => {
    const own = keys.get(field) ?? []
    return own.length === 1 ? own[0] : own.find((_, index) => names(field, index) === variable)
  }
}

const keyVariables = (record: JsonObject) => (field: string, index: number) =>
  variableName(field.toUpperCase(), record) + (index === 0 ? '' : `_${index + 1}`)

function variableName(what: string, record: JsonObject): string {
  const name = slugOf(nameOf(record))
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
  return `STACK_WEBHOOK_${what}_${name}`
}
