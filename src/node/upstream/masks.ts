/** Masks secrets in responses before the browser sees them. A mask is never written back. */
import { isDeepStrictEqual } from 'node:util'
import type { ResourceName } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { maskRoutingKeys, routingKeysIn, unmaskRoutingKeys } from '#domain/alerting/receivers/routingKey.ts'
import { failure } from './apiFailure.ts'

export const mask = '••••••••'

const secretField =
  /password|passphrase|secret|token|(?:private|access|api|encryption|account)_?key$|^connectionString$|^caCertificate$/i
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----/
/** Looks behind instead of matching the scheme, which would try every position of a long word to its end. */
const userInfo = /(?<=\w:\/\/)[^\s/@]+@/g

/**
 * The resources of what people wrote or sent, without fields for credentials: it must come back unchanged. All other resources are
 * masked, also those that are added later.
 */
const unmaskedResources: ReadonlySet<string> = new Set<ResourceName>([
  'alerts',
  'charts',
  'dashboards',
  'sample',
  'savedSearches',
  'search',
  'sources',
  'sql',
  'storage',
])

function mayHoldSecrets({ resource }: Endpoint): boolean {
  return !unmaskedResources.has(resource)
}

/** The result with every secret replaced. */
export function masked(endpoint: Endpoint, result: unknown): unknown {
  if (!mayHoldSecrets(endpoint) || endpoint.reveals) return result
  const clean = maskedValue(result, false)
  if (endpoint.shownOnce.length > 0) return withFieldsOf(clean, result, endpoint.shownOnce)
  return endpoint.resource === 'webhooks' ? withMaskedReceivers(clean) : clean
}

function withFieldsOf(clean: unknown, result: unknown, names: readonly string[]): unknown {
  if (typeof clean !== 'object' || typeof result !== 'object' || result === null) return clean
  return { ...clean, ...Object.fromEntries(Object.entries(result).filter(([name]) => names.includes(name))) }
}

/**
 * Segments that every URL of a service has. Any other segment may be a credential.
 */
const harmlessSegment =
  /^(?:v\d{1,2}|api|hooks?|webhooks?|services?|integrations?|incoming|inbound|events?|alerts?|alert_events|notify|notifications?|messages?|rooms?|channels?|workflows?|triggers?|slack|http|https|generic|otlp|enqueue|emails?|mail|smtp|send|prod|production|staging|test)$/

/**
 * Anybody who knows a webhook's URL can call it, so its path and query may contain the credential. That of PagerDuty is in
 * the body.
 */
function withMaskedReceivers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMaskedReceivers)
  if (value === null || typeof value !== 'object') return value
  return {
    ...value,
    ...('url' in value && typeof value.url === 'string' && { url: maskedAddress(value.url) }),
    ...('body' in value && typeof value.body === 'string' && { body: maskRoutingKeys(value.body, mask) }),
  }
}

/** The address with everything hidden that may be a credential. */
export function maskedAddress(address: string): string {
  const [, origin, path = '', query, fragment] =
    /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(address) ?? []
  if (origin === undefined) return address === '' ? '' : mask
  const segments = path.split('/').map((part) => (part === '' || harmlessSegment.test(part) ? part : mask))
  const pairs = query?.split('&').map((pair) => (pair.includes('=') ? pair.replace(/=.*$/s, `=${mask}`) : mask))
  return `${origin}${segments.join('/')}${pairs ? `?${pairs.join('&')}` : ''}${fragment === undefined ? '' : `#${mask}`}`
}

function maskedValue(value: unknown, secret: boolean): unknown {
  if (typeof value === 'string') return maskedText(value, secret)
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, secret))
  // LosslessNumber is a class. Numbers are not secrets.
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, maskedValue(item, secret || isSecret(key, item))]),
  )
}

/** All headers and query parameters of a webhook are treated as credentials. */
function isSecret(key: string, value: unknown): boolean {
  const bag = (key === 'headers' || key === 'queryParams') && value !== null && typeof value === 'object'
  return bag || secretField.test(key)
}

function maskedText(text: string, secret: boolean): string {
  if (text === '') return text
  return secret || privateKey.test(text) ? mask : text.replace(userInfo, `${mask}@`)
}

/** Where a webhook is sent to. Its other secrets are only for that place. */
const destination: readonly string[] = ['url', 'service']

/**
 * Replaces the masks in a body that are unchanged by the stored values. If the URL or the service is another one, the masks
 * of all other secrets stay, because whoever may not see them must not have them sent elsewhere.
 * @param current the stored record without masks
 */
export function unmasked(endpoint: Endpoint, body: object, current: object): object {
  const shown = new Map(Object.entries(Object(masked(endpoint, current))))
  const real = new Map(Object.entries(current))
  const entries = Object.entries(body)
  const restored = ([key, value]: [string, unknown]) =>
    containsMask(value) && isDeepStrictEqual(value, shown.get(key))
      ? real.get(key)
      : withStoredKeys(value, real.get(key))
  const isMoved = entries.some((entry) => destination.includes(entry[0]) && restored(entry) !== real.get(entry[0]))
  return Object.fromEntries(
    entries.map((entry) => [entry[0], isMoved && !destination.includes(entry[0]) ? entry[1] : restored(entry)]),
  )
}

/** A text whose masked routing keys are those of the stored one, although the rest of it was changed. */
function withStoredKeys(value: unknown, stored: unknown): unknown {
  return typeof value === 'string' && typeof stored === 'string' ? unmaskRoutingKeys(value, mask, stored) : value
}

/** A shorter text would hide parts of ordinary words. */
const minCredential = 6

/** The secrets of a body that its mask hides, the longest first: an error of the deployment may quote it. */
export function credentialsIn(endpoint: Endpoint, body: unknown): string[] {
  if (!mayHoldSecrets(endpoint)) return []
  const found = hiddenTexts(body, masked(endpoint, body)).flatMap(({ text, shown }) =>
    // A part of an address may be quoted alone.
    routingKeysIn(text).length > 0
      ? routingKeysIn(text)
      : /:\/\//.test(text)
        ? [text, ...text.split(/[/?&=#@]/).filter((part) => !shown.includes(part))]
        : [text],
  )
  return [...new Set(found)].filter(({ length }) => length >= minCredential).toSorted((a, b) => b.length - a.length)
}

/** The texts that differ between a value and its mask. */
function hiddenTexts(value: unknown, shown: unknown): { text: string; shown: string }[] {
  if (typeof value === 'string') return value === shown ? [] : [{ text: value, shown: String(shown) }]
  if (value === null || typeof value !== 'object') return []
  const masks = new Map(Object.entries(Object(shown)))
  return Object.entries(value).flatMap(([key, item]) => hiddenTexts(item, masks.get(key)))
}

export function containsMask(value: unknown): boolean {
  return pathOfMask(value, []) !== null
}

/** @throws invalid for a body that would store a mask instead of a secret */
export function refuseMask(endpoint: Endpoint, body: unknown): void {
  if (!mayHoldSecrets(endpoint)) return
  const path = pathOfMask(body, [])
  if (path === null) return
  const message = 'This secret is masked and cannot be saved like this. Leave it out, or enter it again.'
  throw failure('invalid', message, { fields: [{ path: path.join('.'), message }] })
}

function pathOfMask(value: unknown, path: string[]): string[] | null {
  if (typeof value === 'string') return value.includes(mask) ? path : null
  if (value === null || typeof value !== 'object') return null
  for (const [key, item] of Object.entries(value)) {
    const found = pathOfMask(item, [...path, key])
    if (found) return found
  }
  return null
}
