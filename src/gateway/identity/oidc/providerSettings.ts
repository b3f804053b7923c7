/** The OpenID Connect providers of a console, as its configuration file has them. */
import { z } from 'zod'
import { givenName } from '#contract/wire/givenNames.ts'
import { roles } from '#contract/console/consoleRoles.ts'
import { pathId } from '#contract/wire/kernel.ts'

const groupMapping = z.strictObject({
  /** As the provider spells it, upper and lower case included; `*` for everybody who signs in with the provider. */
  group: z.string().min(1).max(300),
  role: z.enum(roles).exclude(['none']),
  /** IDs of connections, as in the URLs of their pages; absent for all. */
  connections: z.array(pathId).min(1).max(500).optional(),
})

const provider = z
  .strictObject({
    /** Part of the redirect URI: `PUBLIC_URL/sign-in/{id}`. */
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and "-"'),
    /** The label of the button: "Continue with {label}". */
    label: givenName(60),
    issuer: z.url({ protocol: /^https?$/ }),
    clientId: z.string().min(1).max(500),
    clientSecretFile: z.string().min(1).optional(),
    /** The name of an environment variable. */
    clientSecretEnv: z.string().min(1).optional(),
    scopes: z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/)).default(['openid', 'email', 'profile']),
    /** A claim, or the path to one such as `realm_access.roles`. */
    groupsClaim: z.string().min(1).max(200).default('groups'),
    groups: z.array(groupMapping).max(500).default([]),
    /** Whether somebody who has a role by a group gets an account at the first sign-in. */
    createPeople: z.boolean().default(false),
    /** Domains of e-mail addresses that may sign in; empty for all. */
    allowedDomains: z
      .array(
        z
          .string()
          .trim()
          .toLowerCase()
          .regex(/^[a-z0-9.-]+$/),
      )
      .default([]),
    /** Whether its e-mail addresses count as verified, although it does not say so. Only for providers whose people cannot choose them. */
    trustEmail: z.boolean().default(false),
    /** Whether the provider may be on this machine or in a private network. */
    allowPrivate: z.boolean().default(false),
    /** Whether signing out here also ends the session at the provider. */
    signOutAtProvider: z.boolean().default(true),
  })
  .superRefine((settings, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (!settings.scopes.includes('openid')) refuse('scopes', 'must include "openid"')
    if (settings.issuer.startsWith('http:') && !settings.allowPrivate) {
      refuse('issuer', 'must use https, unless allowPrivate is true')
    }
    if (settings.clientSecretFile !== undefined && settings.clientSecretEnv !== undefined) {
      refuse('clientSecretFile', 'cannot be combined with clientSecretEnv')
    }
  })

const providersFile = z.strictObject({ providers: z.array(provider).max(20) }).superRefine(({ providers }, context) => {
  const ids = providers.map(({ id }) => id)
  const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at)
  if (twice >= 0) context.addIssue({ code: 'custom', path: ['providers', twice, 'id'], message: 'is used twice' })
})

export type ProviderSettings = Omit<z.output<typeof provider>, 'clientSecretFile' | 'clientSecretEnv'> & {
  /** Absent for a public client. */
  clientSecret?: string | undefined
}

/** Why the configuration cannot be used, in a sentence for the person who starts the console. */
export class ProviderSettingsError extends Error {
  override name = 'ProviderSettingsError'
}

/** How secrets are read. */
export interface SecretSources {
  file(path: string): string
  env(name: string): string | undefined
}

/** @throws ProviderSettingsError for the first thing that is wrong, without quoting a value */
export function readProviderSettings(text: string, secrets: SecretSources): ProviderSettings[] {
  const outcome = providersFile.safeParse(jsonOf(text))
  if (!outcome.success) {
    const issue = outcome.error.issues[0]
    throw new ProviderSettingsError(`${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'is not valid'}.`)
  }
  return outcome.data.providers.map(({ clientSecretFile, clientSecretEnv, ...rest }) => {
    const clientSecret =
      clientSecretFile === undefined
        ? clientSecretEnv === undefined
          ? undefined
          : secrets.env(clientSecretEnv)
        : secrets.file(clientSecretFile)
    const source = clientSecretFile ?? clientSecretEnv
    if (source !== undefined && !clientSecret) {
      throw new ProviderSettingsError(`the secret of ${rest.id} is not in ${source}.`)
    }
    return { ...rest, clientSecret }
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProviderSettingsError('the file is not valid JSON.')
  }
}
