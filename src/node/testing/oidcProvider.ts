/**
 * An OpenID Connect provider in a process of its own (the certified `oidc-provider`), for tests. Whoever starts it sends the
 * clients once, and may send accounts and faults at any time.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, exportPKCS8, generateKeyPair, SignJWT } from 'jose'
import { Provider, type ClientMetadata } from 'oidc-provider'

/** Messages to the process. */
export interface ProviderOrder {
  clients?: ClientMetadata[]
  /** Claims by the name with which somebody signs in, which is the subject. Any password is accepted. */
  accounts?: Record<string, Record<string, unknown>>
  /** Faults from now on. */
  fault?: ProviderFault | null
}

export interface ProviderFault {
  /** Claims of ID tokens that are replaced, in a token that is signed as before. Null leaves one out. */
  idToken?: Record<string, unknown>
  /** The status of every response of an endpoint, such as `/token`. */
  status?: { path: string; status: number }
  /** Signs ID tokens with a key that is not published. */
  otherKey?: boolean
}

/** The message that the process sends once. */
export interface ProviderStarted {
  issuer: string
  /** PKCS #8, to sign tokens that the provider itself would not send. */
  privateKey: string
  kid: string
}

const kid = 'the-key-of-the-test'
const accounts: Record<string, Record<string, unknown>> = {}
let fault: ProviderFault = {}

const { privateKey } = await generateKeyPair('RS256', { extractable: true })
const { privateKey: otherKey } = await generateKeyPair('RS256', { extractable: true })

process.on('message', (order: ProviderOrder) => {
  Object.assign(accounts, order.accounts)
  if (order.fault !== undefined) fault = order.fault ?? {}
  if (order.clients) void start(order.clients)
  process.send?.('done')
})
process.on('disconnect', () => process.exit(0))

async function start(clients: ClientMetadata[]): Promise<void> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients,
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key for the cookies of the test'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups', '_claim_names'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: { backchannelLogout: { enabled: true } },
    // Its own dispatcher refuses requests to this machine.
    fetch: (url, options) => globalThis.fetch(url, Object.assign({}, options, { dispatcher: undefined })),
    findAccount: (_, subject) => ({
      accountId: subject,
      claims: async () => ({ ...accounts[subject], sub: subject }),
    }),
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }) => {
      if (!oidc.session || !oidc.client) return undefined
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    if (fault.status && context.path.startsWith(fault.status.path)) {
      context.status = fault.status.status
      context.body = { error: 'server_error' }
      return
    }
    await next()
    const body: unknown = context.body
    if (context.path !== '/token' || typeof body !== 'object' || body === null || !('id_token' in body)) return
    if (fault.idToken || fault.otherKey) {
      context.body = { ...body, id_token: await forged(String(body.id_token)) }
    }
  })
  server.on('request', provider.callback())
  process.send?.({ issuer, privateKey: await exportPKCS8(privateKey), kid } satisfies ProviderStarted)
}

async function forged(token: string): Promise<string> {
  const claims = Object.entries({ ...decodeJwt(token), ...fault.idToken }).filter(([, value]) => value !== null)
  return new SignJWT(Object.fromEntries(claims))
    .setProtectedHeader({ alg: 'RS256', kid })
    .sign(fault.otherKey ? otherKey : privateKey)
}
