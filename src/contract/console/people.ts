/** The API between console and gateway for accounts of people, their roles and their tokens. Deployments do not have it. */
import { z } from 'zod'
import { givenName } from '../wire/givenNames.ts'
import { pathId } from '../wire/kernel.ts'
import { roles } from './consoleRoles.ts'

const role = z.enum(roles)
const name = givenName(80)
const email = z.string().trim().toLowerCase().max(200).pipe(z.email('Enter an e-mail address'))
const newPassword = z.string().min(10, 'must have at least 10 characters').max(500)
const rolesByConnection = z.record(pathId, role)

/** A person as an administrator adds or edits it. */
export const personInput = z.object({
  name,
  email,
  /** On all connections without a role of their own. */
  role,
  /** Roles on single connections, by their IDs. */
  roles: rolesByConnection.default({}),
})
export type PersonInput = z.input<typeof personInput>

/** `invited`: never signed in yet. */
export const personStates = ['invited', 'active', 'disabled'] as const

/** A role that somebody has because a provider put them into a group. */
const groupRole = z.object({
  /** The label of the provider. */
  provider: z.string(),
  group: z.string(),
  role,
  /** Absent for all connections. */
  connectionId: pathId.optional(),
})
export type GroupRole = z.infer<typeof groupRole>

const person = z.object({
  id: pathId,
  name: z.string(),
  email: z.string(),
  /** The role on all connections without an entry in `roles`: the highest of what was given by hand and by groups. */
  role,
  roles: rolesByConnection,
  /** The role that an administrator gave. */
  byHand: z.object({ role, roles: rolesByConnection }),
  /** Absent without any. */
  fromGroups: z.array(groupRole).optional(),
  state: z.enum(personStates),
  createdAt: z.string(),
  /** Rounded to the minute; absent for somebody who never signed in. */
  seenAt: z.string().optional(),
})
export type Person = z.infer<typeof person>

/** A person in the list, with what their requests may come from. */
const listedPerson = person.extend({ sessions: z.number(), tokens: z.number(), current: z.boolean() })
export type ListedPerson = z.infer<typeof listedPerson>

/** The link is shown once: only its hash is stored. */
const invited = z.object({ person, link: z.string(), expiresAt: z.string() })
export type Invited = z.infer<typeof invited>

export const disabledChange = z.object({ disabled: z.boolean() })

export const invitationProof = z.object({ token: z.string().min(1) })
const invitation = z.object({ name: z.string(), email: z.string() })
export type Invitation = z.infer<typeof invitation>

export const invitationAcceptance = z.object({ invitation: z.string().min(1), password: newPassword })

export const passwordChange = z.object({ current: z.string().min(1), password: newPassword })
export type PasswordChange = z.input<typeof passwordChange>

/** Where a token is valid: at every route that takes tokens, or only at the MCP server. */
const tokenUse = z.enum(['console', 'agents'])
export type TokenUse = z.infer<typeof tokenUse>

/** The scope of a token: never more than its person may do. */
export const tokenInput = z.object({
  name,
  /** The highest role that it has on a connection. */
  role: role.exclude(['none']),
  /** IDs of the connections that it sees; null for all. */
  connections: z.array(pathId).min(1, 'Choose at least one connection').max(500).nullable(),
  days: z.number().int().min(1, 'must be 1 to 366 days').max(366, 'must be 1 to 366 days'),
  validFor: tokenUse.default('console'),
})
export type TokenInput = z.input<typeof tokenInput>

const token = z.object({
  id: pathId,
  name: z.string(),
  role,
  connections: z.array(pathId).nullable(),
  validFor: tokenUse,
  /** The last characters of its secret. */
  end: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Rounded to the minute. */
  usedAt: z.string().optional(),
})
export type Token = z.infer<typeof token>

/** The secret is shown once: only its hash is stored. */
const createdToken = token.extend({ secret: z.string() })
export type CreatedToken = z.infer<typeof createdToken>

const passkey = z.object({
  id: pathId,
  name: z.string(),
  /** Whether it is copied to the person's other devices, as password managers do. */
  synced: z.boolean(),
  createdAt: z.string(),
  usedAt: z.string().optional(),
})
export type Passkey = z.infer<typeof passkey>

export const passkeyName = z.object({ name })
/** Checked by the WebAuthn library. */
const credential = z.looseObject({ id: z.string().max(2_000), response: z.looseObject({}) })
export const newPasskey = passkeyName.extend({ credential })
export type NewPasskey = z.input<typeof newPasskey>
export const passkeyProof = z.object({ passkey: credential })
/** With an e-mail address, only passkeys of that account are accepted. */
export const passkeyRequest = z.object({ email: z.string().trim().toLowerCase().min(1).max(200).optional() })

/** The provider's response to the page: the query of its address. */
const providerAnswer = z.string().max(8_000)
export const providerProof = z.object({ provider: z.string().max(60), answer: providerAnswer })

/** A provider and whether the caller's account is connected to it. */
const accountProvider = z.object({
  id: z.string(),
  label: z.string(),
  connected: z.object({ since: z.string(), groups: z.array(z.string()) }).optional(),
})
export type AccountProvider = z.infer<typeof accountProvider>

const account = z.object({
  person,
  tokens: z.array(token),
  hasPassword: z.boolean(),
  passkeys: z.array(passkey),
  /** Why passkeys cannot be added at this address; absent if they can. */
  passkeysRefused: z.string().optional(),
  providers: z.array(accountProvider),
})
export type Account = z.infer<typeof account>
