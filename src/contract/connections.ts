/** What the console and the gateway agree on between themselves: sessions and connections. No deployment sees these. */
import { z } from 'zod'
import { pathId, variants } from './kernel.ts'
import { namingProfileNames } from './naming.ts'
import { stages } from './stages.ts'

const printable = z.string().regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces')

const baseUrlRule =
  'must be an http or https address such as https://host:8000, without user name, "?" or "#"; keys have their own fields'

/** What a person may set. A secret that is left out keeps the stored one. */
export const connectionInput = z
  .object({
    name: z.string().trim().min(1, 'a name is needed').max(60),
    variant: z.enum(variants),
    /** Scheme, host and port; a path prefix is kept. */
    baseUrl: z
      .string()
      .max(500)
      .regex(/^https?:\/\/[^\s/?#@\\]+(\/[^\s?#@\\]*)?$/, baseUrlRule),
    organizationId: pathId.optional(),
    serviceId: pathId.optional(),
    naming: z.enum(namingProfileNames).default('neutral'),
    /** Left out, it stays as it is; of a new connection it follows from the address. */
    stage: z.enum(stages).optional(),
    /** The gateway refuses every operation that changes something. Production is read-only without this, too. */
    readOnly: z.boolean().default(false),
    /** Loopback, private and link-local addresses are refused unless the person says that this one is meant. */
    allowPrivate: z.boolean().default(false),
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
      if (!connection.organizationId)
        refuse('organizationId', 'a managed deployment is addressed by its organization id')
      if (!connection.serviceId)
        refuse('serviceId', 'the stack of a managed deployment belongs to a service: its id is needed')
    }
  })
export type ConnectionInput = z.input<typeof connectionInput>

/** What a change of a connection repeats where it takes protection away: the name of a production connection. */
export const confirmation = z.object({ confirmedName: z.string().optional() })

export const connectionChange = connectionInput.and(confirmation)
export type ConnectionChange = z.input<typeof connectionChange>

/** Whether writes are refused. On production, `false` allows them for a while (`liftMinutes`). */
export const readOnlyChange = z.object({ readOnly: z.boolean() })

/** A form's content for a test. With the id of a connection, a secret that the form leaves out is the stored one. */
export const connectionDraft = connectionInput.and(z.object({ connectionId: pathId.optional() }))

/** A connection as the console sees it: never a secret, only whether there is one and how it ends. */
export const connection = z.object({
  id: pathId,
  name: z.string(),
  variant: z.enum(variants),
  baseUrl: z.string(),
  organizationId: z.string().optional(),
  serviceId: z.string().optional(),
  naming: z.enum(namingProfileNames),
  stage: z.enum(stages),
  /** Whether the gateway refuses writes now. */
  readOnly: z.boolean(),
  /** Production only, while writes are allowed: when the gateway refuses them again. */
  readOnlyLiftedUntil: z.string().optional(),
  /** The word that stood beside the name before there were stages; kept, and shown where the stage is chosen. */
  environment: z.string().optional(),
  allowPrivate: z.boolean(),
  keyId: z.string().optional(),
  /** The last four characters of the secret; absent when none is stored. */
  secretEnd: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Connection = z.infer<typeof connection>

/** What a deployment answered when asked for each feature. */
export const capability = z.object({
  resource: z.string(),
  state: z.enum(['offered', 'notOffered', 'refused', 'failed']),
  detail: z.string().optional(),
})

export const connectionTest = z.object({
  ok: z.boolean(),
  /** Milliseconds of the first answer. */
  latency: z.number().optional(),
  /** One sentence: what is wrong and what would be right, or what was found. */
  message: z.string(),
  capabilities: z.array(capability),
})
export type ConnectionTest = z.infer<typeof connectionTest>

export const session = z.object({
  signedIn: z.boolean(),
  /** Whether a lasting password is configured (CONSOLE_PASSWORD). */
  passwordOffered: z.boolean(),
  /** Identifies the build: a change tells an open page to reload. */
  build: z.string(),
})
export type Session = z.infer<typeof session>

export const signInWays = ['link', 'password'] as const

/** A session as the list of all shows it. Nobody can sign in with anything of this. */
export const sessionEntry = z.object({
  id: pathId,
  /** The one that asks. */
  current: z.boolean(),
  /** What it was started with; absent where that was not noted yet. */
  way: z.enum(signInWays).optional(),
  /** As the browser calls itself; anybody can say anything here. */
  browser: z.string(),
  createdAt: z.string(),
  /** To the minute. */
  seenAt: z.string(),
  /** When it ends if it is not used any more. */
  endsAt: z.string(),
})
export type SessionEntry = z.infer<typeof sessionEntry>

/** What the gateway writes into the page for somebody who is signed in. */
export interface FirstState {
  session: Session
  connections: Connection[]
}

export const signIn = z.union([z.object({ token: z.string().min(1) }), z.object({ password: z.string().min(1) })])

export { budgetHeaders, consoleHeader, gatewayPaths, priorities, priorityHeader, writeIdHeader } from './gatewayWire.ts'
export type { BudgetState } from './gatewayWire.ts'
