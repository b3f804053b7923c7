/** People and how they sign in: passwords, passkeys, providers, links, tokens, a proxy that vouches for them, and their sessions. */
import type { FastifyInstance } from 'fastify'
import type { AuditLog } from './audit/auditLog.ts'
import type { Database } from './database/database.ts'
import type { SealedJson } from './database/sealedJson.ts'
import type { GatewayOptions } from './gatewayOptions.ts'
import type { ConsoleAddress } from './http/consoleAddress.ts'
import { registerBackChannelSignOut } from './identity/oidc/backChannelSignOut.ts'
import { Identities } from './identity/oidc/identities.ts'
import { Oidc } from './identity/oidc/oidc.ts'
import { ProviderSessions } from './identity/oidc/providerSessions.ts'
import { PasskeyCeremonies } from './identity/passkeys/passkeyCeremonies.ts'
import { Passkeys } from './identity/passkeys/passkeys.ts'
import { registerAccount } from './identity/people/accountRoutes.ts'
import { People } from './identity/people/people.ts'
import { registerPeople, type PeopleDependencies } from './identity/people/peopleRoutes.ts'
import { SignInLinks } from './identity/people/signInLinks.ts'
import { CurrentAccess } from './identity/people/currentAccess.ts'
import { Tokens } from './identity/people/tokens.ts'
import { SignInMethods } from './identity/people/signInMethods.ts'
import { UsedOnce } from './identity/people/usedOnce.ts'
import { registerAccountSignInMethods } from './identity/sessions/accountSignInMethods.ts'
import { KnownBrowsers } from './identity/sessions/knownBrowsers.ts'
import { PrintedLink } from './identity/sessions/printedLink.ts'
import { ProxyHeader } from './identity/sessions/proxyHeader.ts'
import { registerSessionLists } from './identity/sessions/sessionLists.ts'
import { registerSession } from './identity/sessions/sessionRoutes.ts'
import { defaultLimits, Password, Sessions } from './identity/sessions/sessions.ts'
import type { Egress } from '#node/upstream/egressGuard.ts'

interface Place {
  database: Database
  sealed: SealedJson
  egress: Egress
  address: ConsoleAddress
  /** The ID of this console among those of the database. */
  consoleId: string
  onLinkError: (error: unknown) => void
}

export type SignIn = Awaited<ReturnType<typeof openSignIn>>

export async function openSignIn(options: GatewayOptions, place: Place) {
  const { database, sealed, egress, address } = place
  const { providers = [], sessions: limits = defaultLimits, tuning: { now } = {} } = options
  const signInMethods = new SignInMethods(database, {
    providers: providers.map(({ id }) => id),
    hasProxy: options.proxy !== undefined,
  })
  const identities = new Identities(database, providers, limits.absolute, now, signInMethods)
  const people = new People(database, now, identities, signInMethods)
  const links = new SignInLinks(database, now)
  const tokens = new Tokens(database, now)
  const sessions = new Sessions(database, now, limits)
  await sessions.takeOver(options.dataDir)
  const printedLink: PrintedLink = new PrintedLink({
    links,
    consoleId: place.consoleId,
    onNew: () => options.onSignInUrl?.(signInUrl()),
    onError: place.onLinkError,
  })
  /** The current link with which somebody signs in once. */
  const signInUrl = () => `${address.url}/sign-in#token=${printedLink.token}`
  const cookie = {
    name: `${cookiePrefix(address)}stack_console_${cookiePort(options)}`,
    secure: address.isSecure,
    path: address.basePath || '/',
  }
  const used = new UsedOnce(database, now)
  const ceremonies = { sealed, used, cookie, now }
  const passkeys = new Passkeys(database, now, signInMethods)
  return {
    database,
    sessions,
    people,
    tokens,
    links,
    printedLink,
    signInUrl,
    identities,
    passkeys,
    used,
    cookie,
    currentAccess: new CurrentAccess(people, tokens),
    proxy: options.proxy && new ProxyHeader(options.proxy),
    knownBrowsers: new KnownBrowsers(sealed.derivedKey('known browsers')),
    password: options.password ? new Password(options.password) : undefined,
    build: options.build,
    oidc: new Oidc(providers, egress, { ...ceremonies, basePath: address.basePath }),
    basePath: address.basePath,
    providerSessions: new ProviderSessions(database, sealed, limits.absolute, now),
    passkeyCeremonies: new PasskeyCeremonies({
      ...ceremonies,
      passkeys,
      people,
      publicUrl: options.publicUrl,
      hasLocalhost: ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'].includes(options.host),
    }),
    consoleUrl: () => address.url,
    now,
  }
}

interface Told {
  audit: AuditLog
  /** Called with the key of a session that was ended. */
  onSignOut: (sessionKey: string) => void
}

/** The routes of sign-in, sessions, people and their accounts. @returns what changes accounts */
export function registerSignIn(app: FastifyInstance, signIn: SignIn, { audit, onSignOut }: Told): PeopleDependencies {
  const { sessions } = signIn
  /** @returns how many sessions were ended */
  const endThose = async (isOne: Parameters<Sessions['endThose']>[0]) => {
    const ended = await sessions.endThose(isOne)
    for (const name of ended) onSignOut(name)
    return ended.length
  }
  const peopleParts = {
    ...signIn,
    sessionCounts: () => sessions.counts(),
    endSessions: async (personId: string, except?: string) => {
      await endThose(({ person, name }) => person === personId && name !== except)
    },
  }
  const withAudit = { ...signIn, audit, onSignOut }
  registerSession(app, withAudit)
  registerSessionLists(app, withAudit)
  registerPeople(app, peopleParts)
  registerAccount(app, peopleParts)
  registerAccountSignInMethods(app, withAudit)
  registerBackChannelSignOut(app, { ...signIn, endSessions: (ids) => endThose(({ id }) => ids.has(id)) })
  return peopleParts
}

/** Browsers keep `__Host-` cookies only for a whole host. Under a path, the other applications of the host do not get them. */
function cookiePrefix({ isSecure, basePath }: ConsoleAddress): string {
  if (!isSecure) return ''
  return basePath === '' ? '__Host-' : '__Secure-'
}

/** Consoles behind one name share their sessions, on whichever port each listens. */
function cookiePort({ port, publicUrl, databaseUrl }: GatewayOptions): string {
  return databaseUrl !== undefined && publicUrl !== undefined ? new URL(publicUrl).port || 'public' : String(port)
}
