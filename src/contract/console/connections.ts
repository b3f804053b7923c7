/** The API between console and gateway: sessions and connections. Deployments do not have it. */
import { z } from 'zod'
import { pathId, variants } from '../wire/kernel.ts'
import { givenName } from '../wire/givenNames.ts'
import { namingProfileNames } from '../wire/naming.ts'
import { roles } from './consoleRoles.ts'
import { stages } from './stages.ts'
import { damageSummary } from '../wire/damage.ts'

const printable = z.string().regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces')

const baseUrlRule = 'must be an http or https address such as https://host:8000, without user name, "?" or "#"'

/** The input for a connection. A secret that is left out stays. */
export const connectionInput = z
  .object({
    name: givenName(60),
    variant: z.enum(variants),
    /** Scheme, host, port and an optional path prefix. */
    baseUrl: z
      .string()
      .max(500)
      .regex(/^https?:\/\/[^\s/?#@\\]+(\/[^\s?#@\\]*)?$/, baseUrlRule),
    organizationId: pathId.optional(),
    serviceId: pathId.optional(),
    naming: z.enum(namingProfileNames).default('neutral'),
    /** If it is left out, it stays unchanged; for a new connection it depends on the address. */
    stage: z.enum(stages).optional(),
    /** The gateway refuses all writes. Production is always read-only. */
    readOnly: z.boolean().default(false),
    /** Whether loopback and private addresses are allowed. */
    allowPrivate: z.boolean().default(false),
    /** Whether everybody who may read may also run SQL, although it is production. */
    sqlForReaders: z.boolean().optional(),
    /** Whether dashboards may be shared with people without an account, although it is production. */
    sharedLinks: z.boolean().optional(),
    /** Open source: the personal access key. */
    accessKey: printable.max(500).optional(),
    /** Managed: key id and secret. */
    keyId: printable
      .max(200)
      .regex(/^[^:]*$/, 'must not contain ":"')
      .optional(),
    keySecret: printable.max(500).optional(),
  })
  .superRefine((connection, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (connection.variant === 'managed') {
      if (!connection.organizationId) refuse('organizationId', 'Enter the organization ID of the managed deployment')
      if (!connection.serviceId) refuse('serviceId', 'Enter the ID of the service that has the stack')
    }
  })
export type ConnectionInput = z.input<typeof connectionInput>

/** A connection to be added: with the key that an edit may leave out. */
export const newConnection = connectionInput.superRefine(({ variant, accessKey, keyId, keySecret }, context) => {
  const require = (path: string, value: string | undefined, message: string) => {
    if (!value) context.addIssue({ code: 'custom', path: [path], message })
  }
  if (variant === 'openSource') {
    require('accessKey', accessKey, 'Enter the personal API access key, from the team settings of the deployment')
  } else {
    require('keyId', keyId, 'Enter the ID of an API key of the organization')
    require('keySecret', keySecret, 'Enter the secret of that API key')
  }
})

/** The name of a production connection, which confirms a change that ends its protection. */
export const confirmation = z.object({ confirmedName: z.string().optional() })

export const connectionChange = connectionInput.and(confirmation)
export type ConnectionChange = z.input<typeof connectionChange>

/** Whether writes are refused. On production, `false` allows them for some minutes (`liftMinutes`). */
export const readOnlyChange = z.object({ readOnly: z.boolean() })

/** The content of a form for a test. With the id of a connection, missing secrets are the stored ones. */
export const connectionDraft = connectionInput.and(z.object({ connectionId: pathId.optional() }))

/** A connection as the console sees it: without its secret. */
export const connection = z.object({
  id: pathId,
  name: z.string(),
  variant: z.enum(variants),
  baseUrl: z.string(),
  organizationId: z.string().optional(),
  serviceId: z.string().optional(),
  naming: z.enum(namingProfileNames),
  stage: z.enum(stages),
  /** Whether the gateway currently refuses writes. */
  readOnly: z.boolean(),
  /** Until when writes on production are allowed. */
  readOnlyLiftedUntil: z.string().optional(),
  /** The label of earlier versions, before there were stages. Shown where the stage is chosen. */
  environment: z.string().optional(),
  allowPrivate: z.boolean(),
  sqlForReaders: z.boolean().optional(),
  sharedLinks: z.boolean().optional(),
  keyId: z.string().optional(),
  /** The last four characters of the secret; absent if none is stored. */
  secretEnd: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Whether changes need approval by a second person. Absent if they do not. */
  twoPersonApproval: z.boolean().optional(),
  /** Somebody changes it without approval for some minutes. */
  breakGlass: z.object({ actor: z.string(), reason: z.string(), endsAt: z.string(), isMine: z.boolean() }).optional(),
  /** Why the caller cannot ask for approval, where changes need it. */
  approvalRefused: z.string().optional(),
  /** Why the caller cannot break the glass, where changes need approval. */
  breakGlassRefused: z.string().optional(),
  /** The caller's role; absent for administrators. */
  role: z.enum(roles).optional(),
  /** Why that role allows no writes; absent if it does. */
  writesRefused: z.string().optional(),
  /** Why that role allows no SQL; absent if it does. */
  sqlRefused: z.string().optional(),
  /** Why dashboards may not be shared with people without an account; absent if they may. */
  linksRefused: z.string().optional(),
})
export type Connection = z.infer<typeof connection>

/** The result of testing a connection. */
export const capability = z.object({
  resource: z.string(),
  state: z.enum(['offered', 'notOffered', 'refused', 'failed']),
  detail: z.string().optional(),
})

export const connectionTest = z.object({
  ok: z.boolean(),
  /** Milliseconds until the first response. */
  latency: z.number().optional(),
  /** A summary, or what is wrong and how to fix it. */
  message: z.string(),
  capabilities: z.array(capability),
})
export type ConnectionTest = z.infer<typeof connectionTest>

const session = z.object({
  signedIn: z.boolean(),
  /** Whether a password is configured (CONSOLE_PASSWORD). */
  passwordOffered: z.boolean(),
  /** The id of the build. An open page reloads when it changes. */
  build: z.string(),
  /** Whether people sign in with accounts of their own. Absent while nobody has one. */
  accounts: z.literal(true).optional(),
  /** The person who is signed in; absent for a session that began with the link or password of the console. */
  person: z.object({ name: z.string(), email: z.string() }).optional(),
  /** A proxy in front of the console says who is signed in: there is no session to end. */
  byProxy: z.literal(true).optional(),
  /** Absent for those who may add connections and people. */
  limited: z.literal(true).optional(),
  /** Stored records of the console that are damaged, for administrators; absent if there are none. */
  damaged: damageSummary.optional(),
  /** OpenID Connect providers, for somebody who is signed out. */
  providers: z.array(z.object({ id: z.string(), label: z.string() })).optional(),
  /** For who is signed out, once anybody has an account: why passkeys cannot be used at this address, or null. */
  passkeysRefused: z.string().nullable().optional(),
  /** After a sign-out: where the provider ends its own session. */
  signOutUrl: z.string().optional(),
})
export type Session = z.infer<typeof session>

export const signInWays = ['link', 'password', 'invitation', 'passkey', 'provider'] as const

/** Where an address is: this machine, a private network, or the internet. */
const places = ['machine', 'private', 'internet'] as const

/** A session in the list of sessions. It contains nothing that could be used to sign in. */
export const sessionEntry = z.object({
  id: pathId,
  /** Whether it is the caller's own session. */
  current: z.boolean(),
  /** How it was started; absent for sessions of earlier versions. */
  way: z.enum(signInWays).optional(),
  /** The user agent. It cannot be trusted. */
  browser: z.string(),
  /** The network address; absent for sessions of earlier versions. */
  address: z.string().optional(),
  place: z.enum(places).optional(),
  /** The label of the provider with which it was started. */
  provider: z.string().optional(),
  /** The owner of the session, in the list of all sessions; absent for the link and the password of the console. */
  person: z.object({ id: pathId, name: z.string() }).optional(),
  createdAt: z.string(),
  /** Rounded to the minute. */
  seenAt: z.string(),
  /** When it expires if it is not used. */
  endsAt: z.string(),
})
export type SessionEntry = z.infer<typeof sessionEntry>

/** The state that the gateway writes into the page of a signed-in user. */
export interface FirstState {
  session: Session
  connections: Connection[]
  /** IDs of the connections that had sample data when it was last read. */
  samples: string[]
}

export { consoleHeader, gatewayPaths, priorities, writeIdHeader } from '../wire/gatewayWire.ts'
export type { BudgetState } from '../wire/gatewayWire.ts'
