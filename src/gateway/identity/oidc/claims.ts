/** The claims of a provider about a person, as far as the console uses it. Nothing here is trusted before its token is verified. */
import { z } from 'zod'
import type { GroupRole } from '#contract/console/people.ts'
import type { ProviderSettings } from './providerSettings.ts'

export type Claims = Readonly<Record<string, unknown>>

export interface Claimed {
  subject: string
  /** In lower case; absent if the provider sent none, or no valid one. */
  email?: string
  emailVerified: boolean
  name: string
  groups: string[]
}

const maxGroups = 1_000
/** ASCII before it is put in lower case: the Kelvin sign would become a k, and so the address of somebody else. */
const email = z
  .string()
  .trim()
  .max(200)
  .regex(/^[\x21-\x7e]+$/)
  .toLowerCase()
  .pipe(z.email())

/** @param claims of a verified ID token, and of the user info of the same subject */
export function readClaims(subject: string, claims: Claims, settings: ProviderSettings): Claimed {
  const address = email.safeParse(claims['email']).data
  return {
    subject,
    ...(address !== undefined && { email: address }),
    // Providers send a boolean. A text such as "false" would count as true.
    emailVerified: claims['email_verified'] === true || (settings.trustEmail && claims['email_verified'] !== false),
    name: nameIn(claims) ?? address ?? subject.slice(0, 80),
    groups: groupsIn(claims, settings.groupsClaim),
  }
}

function nameIn(claims: Claims): string | undefined {
  const name = claims['name'] ?? claims['preferred_username']
  // No control characters and no marks that change the direction of text.
  const text =
    typeof name === 'string'
      ? name
          .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
          .trim()
          .slice(0, 80)
      : ''
  return text === '' ? undefined : text
}

/** A text is one group: it is never split. */
function groupsIn(claims: Claims, claim: string): string[] {
  const value = valueAt(claims, claim)
  const groups = typeof value === 'string' ? [value] : Array.isArray(value) ? value : []
  const names = groups.filter((group): group is string => typeof group === 'string' && group.length <= 300)
  return [...new Set(names)].slice(0, maxGroups)
}

/** Whether the claims have groups at all. */
export function hasGroups(claims: Claims, claim: string): boolean {
  return valueAt(claims, claim) !== undefined
}

/** Providers such as Entra ID leave out groups if somebody has too many of them, and name where to ask for them instead. */
export function leavesOutGroups(claims: Claims, claim: string): boolean {
  const elsewhere = claims['_claim_names']
  return typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, claim)
}

/** A claim by its name, which may have dots, or by a path of names. */
function valueAt(claims: Claims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim]
  return claim.split('.').reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Claims)[name] // an object
        : undefined,
    claims,
  )
}

/** The roles that a provider's groups give. `*` is a group of everybody, and no claim can be it. */
export function rolesOfGroups(groups: readonly string[], { label, groups: mappings }: ProviderSettings): GroupRole[] {
  return mappings
    .filter(({ group }) => group === '*' || groups.includes(group))
    .flatMap(({ group, role, connections }) => {
      const membership = { provider: label, group, role }
      return connections?.map((connectionId) => ({ ...membership, connectionId })) ?? [membership]
    })
}

export function isAllowedDomain(address: string, { allowedDomains }: ProviderSettings): boolean {
  return allowedDomains.length === 0 || allowedDomains.includes(address.slice(address.lastIndexOf('@') + 1))
}
