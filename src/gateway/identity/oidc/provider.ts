/** One OpenID Connect provider: authorization code with PKCE, state and nonce, and tokens whose signatures are checked. */
import { createRemoteJWKSet, customFetch as joseFetch, errors, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { z } from 'zod'
import { currentTime, stepTolerance } from '#node/clock/wallClock.ts'
import type { Egress } from '#node/upstream/egressGuard.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { hasGroups, leavesOutGroups, readClaims, type Claimed, type Claims } from './claims.ts'
import { explainProviderError } from './providerErrors.ts'
import { providerFetch } from './providerFetch.ts'
import type { ProviderSettings } from './providerSettings.ts'

/** The state of a sign-in until the provider sends the browser back. */
export const transaction = z.object({
  provider: z.string(),
  redirectUri: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The person who connects their account; absent for a sign-in. */
  personId: z.string().optional(),
})
export type Transaction = z.infer<typeof transaction>

export interface Confirmed extends Claimed {
  issuer: string
  /** Its session, which a sign-out there names. */
  sid?: string
  idToken: string
}

/** The account or the session whose sessions end: at least one of the two. */
export interface SignOutNotice {
  issuer: string
  sid?: string
  subject?: string
  /** Names the token, which counts once. */
  jti: string
}

/** A sign-out token that is not accepted. */
export class InvalidSignOut extends Error {
  override name = 'InvalidSignOut'
}

/** Seconds that the clocks may differ. */
const clockTolerance = 60
/** Seconds for which a sign-out token is accepted after it was issued. */
const maxSignOutAge = 300
/** Seconds for one request to the provider. */
const timeout = 10
/** Milliseconds for which the description of a provider is kept. */
const discoveryPeriod = 60 * 60_000
/** Milliseconds for which nobody asks a provider again that did not respond. */
const failurePeriod = 3_000
/** Characters of an address with an ID token: servers refuse longer ones. */
const maxHintLength = 4_000

const signOutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const signOutClaims = z.looseObject({
  jti: z.string().min(1).max(500),
  sub: z.string().min(1).max(500).optional(),
  sid: z.string().min(1).max(500).optional(),
  events: z.looseObject({ [signOutEvent]: z.looseObject({}) }),
  // ID tokens have one, and must not end sessions.
  nonce: z.never().optional(),
})

interface Described {
  config: client.Configuration
  keys: ReturnType<typeof createRemoteJWKSet> | undefined
}

/**
 * How the clocks of this process differ, in milliseconds. The libraries read the clock of the machine, which may be set: they
 * are told how far the time of the console is ahead of it, and the keys that they keep are those of a description.
 */
interface Clocks {
  /** By how much the time of the console is ahead of the machine's clock. */
  ahead: number
  /** By how much the machine's clock is ahead of the monotonic one. */
  machine: number
}

function readClocks(): Clocks {
  const machine = Date.now()
  return { ahead: currentTime() - machine, machine: machine - performance.now() }
}

/** Whether a clock was set in between. */
function isStep(before: Clocks, after: Clocks): boolean {
  const changes = [after.ahead - before.ahead, after.machine - before.machine]
  return changes.some((change) => Math.abs(change) > stepTolerance)
}

export class Provider {
  readonly #fetch: ReturnType<typeof providerFetch>
  #described: { at: number; clocks: Clocks; description: Promise<Described> } | undefined
  #failedAt = -Infinity
  #failed: unknown
  readonly settings: ProviderSettings

  constructor(settings: ProviderSettings, egress: Egress) {
    this.settings = settings
    this.#fetch = providerFetch(egress, settings.allowPrivate)
  }

  /** @throws signedOut or unreachable, with a sentence */
  async begin(redirectUri: string, personId?: string): Promise<{ url: string; transaction: Transaction }> {
    return this.#explaining(async () => {
      const { config } = await this.#describe()
      const verifier = client.randomPKCECodeVerifier()
      const [state, nonce] = [client.randomState(), client.randomNonce()]
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: this.settings.scopes.join(' '),
        response_type: 'code',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      const begun = { provider: this.settings.id, redirectUri, state, nonce, verifier, ...(personId && { personId }) }
      return { url: webAddress(url, this.settings), transaction: begun }
    })
  }

  /** Exchanges the code for tokens. @param answer the query with which the provider sent the browser back @throws as `begin` */
  async finish({ redirectUri, state, nonce, verifier }: Transaction, answer: string): Promise<Confirmed> {
    return this.#explaining(async () => {
      const { config } = await this.#describe()
      const url = new URL(redirectUri)
      url.search = answer
      const tokens = await client.authorizationCodeGrant(config, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const idClaims = tokens.claims()
      const { id_token: idToken } = tokens
      if (!idClaims || idToken === undefined) throw failure('signedOut', `${this.settings.label} sent no ID token.`)
      const claims = await this.#completed(config, tokens.access_token, idClaims)
      const { groupsClaim, label } = this.settings
      if (leavesOutGroups(claims, groupsClaim) && !hasGroups(claims, groupsClaim)) {
        const advice =
          'An administrator has to limit the groups in the token to those that are assigned to the console.'
        throw failure('signedOut', `${label} left out your groups, because you are in too many. ${advice}`)
      }
      const { sid } = idClaims
      return {
        ...readClaims(idClaims.sub, claims, this.settings),
        issuer: config.serverMetadata().issuer,
        ...(typeof sid === 'string' && { sid }),
        idToken,
      }
    })
  }

  /** Where the provider ends its session; undefined if it cannot, or should not. Never delays a sign-out here for long. */
  async signOutUrl(idToken: string, redirectUri: string): Promise<string | undefined> {
    if (!this.settings.signOutAtProvider) return undefined
    try {
      const { config } = await this.#describe()
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined
      const url = client.buildEndSessionUrl(config, {
        post_logout_redirect_uri: redirectUri,
        ...(idToken.length <= maxHintLength && { id_token_hint: idToken }),
      })
      return webAddress(url, this.settings)
    } catch {
      return undefined
    }
  }

  /** Checks a back-channel sign-out token. @throws InvalidSignOut with the reason; unreachable if its keys cannot be read */
  async readSignOut(token: string): Promise<SignOutNotice> {
    const { config, keys } = await this.#explaining(() => this.#describe())
    if (!keys) throw new InvalidSignOut('The provider publishes no keys.')
    const { issuer } = config.serverMetadata()
    const verified = await jwtVerify(token, keys, {
      issuer,
      audience: this.settings.clientId,
      maxTokenAge: maxSignOutAge,
      clockTolerance,
      currentDate: new Date(currentTime()),
      algorithms,
    }).catch((error: unknown) => {
      throw error instanceof errors.JOSEError
        ? new InvalidSignOut(error.message)
        : explainProviderError(error, this.settings)
    })
    const { typ } = verified.protectedHeader
    if (typ !== undefined && !/^(?:application\/)?(?:logout\+)?jwt$/i.test(typ)) {
      throw new InvalidSignOut('The token is of another type.')
    }
    const claims = signOutClaims.safeParse(verified.payload)
    if (!claims.success) throw new InvalidSignOut('The token is not a sign-out token.')
    const { jti, sub: subject, sid } = claims.data
    if (subject === undefined && sid === undefined) throw new InvalidSignOut('The token names nobody.')
    return { issuer, jti, ...(sid !== undefined && { sid }), ...(subject !== undefined && { subject }) }
  }

  /** The claims of the ID token, and what only the user info has. */
  async #completed(config: client.Configuration, accessToken: string, idClaims: client.IDToken): Promise<Claims> {
    const { groups, groupsClaim, label, trustEmail } = this.settings
    const needsGroups = groups.some(({ group }) => group !== '*') && !hasGroups(idClaims, groupsClaim)
    const hasEmail = idClaims['email'] !== undefined && (trustEmail || idClaims['email_verified'] !== undefined)
    if ((hasEmail && !needsGroups) || config.serverMetadata().userinfo_endpoint === undefined) return idClaims
    if (leavesOutGroups(idClaims, groupsClaim)) return idClaims
    const info = await client.fetchUserInfo(config, accessToken, idClaims.sub).catch((error: unknown) => {
      throw error instanceof client.WWWAuthenticateChallengeError
        ? failure('signedOut', `${label} did not say who you are: it refused the request for your user info.`)
        : error
    })
    return withUserInfo(idClaims, info)
  }

  async #describe(): Promise<Described> {
    const now = performance.now()
    const clocks = readClocks()
    const known = this.#described
    if (known && now - known.at < discoveryPeriod && !isStep(known.clocks, clocks)) return known.description
    if (now - this.#failedAt < failurePeriod) throw this.#failed
    const description = this.#discover(clocks)
    this.#described = { at: now, clocks, description }
    description.catch((error: unknown) => {
      this.#described = undefined
      this.#failedAt = performance.now()
      this.#failed = error
    })
    return description
  }

  async #discover({ ahead }: Clocks): Promise<Described> {
    const { issuer, clientId, clientSecret, allowPrivate } = this.settings
    const isPlain = allowPrivate && issuer.startsWith('http:')
    const execute = isPlain ? [client.allowInsecureRequests] : []
    const request: client.CustomFetch = (url, options) => this.#fetch(url, options)
    const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      execute,
      [client.customFetch]: request,
      timeout,
    })
    const metadata = found.serverMetadata()
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const asSecret = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost
    const config = new client.Configuration(
      metadata,
      clientId,
      { [client.clockTolerance]: clockTolerance, [client.clockSkew]: Math.round(ahead / 1000) },
      clientSecret === undefined ? client.None() : asSecret(clientSecret),
    )
    config[client.customFetch] = request
    config.timeout = timeout
    for (const change of execute) change(config)
    client.enableNonRepudiationChecks(config)
    const { jwks_uri: keysAt } = config.serverMetadata()
    const keys =
      keysAt === undefined
        ? undefined
        : createRemoteJWKSet(new URL(keysAt), {
            timeoutDuration: timeout * 1000,
            [joseFetch]: (url, { headers, method, signal }) =>
              this.#fetch(url, { headers: Object.fromEntries(headers), method, signal }),
          })
    return { config, keys }
  }

  async #explaining<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw explainProviderError(error, this.settings)
    }
  }
}

/** Only those whose key nobody but the provider has. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** The page opens it: an address such as `javascript:` would be code. @throws signedOut */
export function webAddress({ protocol, href }: URL, { label, allowPrivate }: ProviderSettings): string {
  if (protocol === 'https:' || (protocol === 'http:' && allowPrivate)) return href
  throw failure('signedOut', `${label} names an address that is not https. An administrator has to check "issuer".`)
}

/** The ID token counts first. An e-mail address counts only with what is said about the very same address. */
export function withUserInfo(idClaims: Claims, info: Claims): Claims {
  const { email: _, email_verified: _verified, ...rest } = { ...info, ...idClaims }
  const email = idClaims['email'] ?? info['email']
  const emailClaims = [idClaims, info].find(
    (candidate) => candidate['email'] === email && candidate['email_verified'] !== undefined,
  )
  return { ...rest, email, email_verified: emailClaims?.['email_verified'] }
}
