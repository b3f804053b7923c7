/** Sign-in with the token of a link or with a password, and sign-out. */
import { pagePaths } from '#contract/pagePaths.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayPaths, signIn, type Session } from '#contract/connections.ts'
import { pathId } from '#contract/kernel.ts'
import { z } from 'zod'
import { failure } from '#node/upstream/apiFailure.ts'
import { PasswordAttempts } from './passwordAttempts.ts'
import { parsed } from '../http/requests.ts'
import { absoluteTimeout, type Password, type Sessions, type SignInToken } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Identifies the session of a signed-in request; empty before the session is checked. */
    sessionKey: string
  }
}

export interface SignInParts {
  sessions: Sessions
  token: SignInToken
  password?: Password | undefined
  build: string
  /** The name contains the port, because all ports of a host share its cookies. */
  cookie: { name: string; secure: boolean }
  onTokenUsed(): void
  /** Called with the key of a session that somebody ended. */
  onSignOut?(sessionKey: string): void
}

/** Wrong passwords per minute, of all callers together, because there is one password to guess. */
const maxWrongPasswords = 20
const minute = 60_000

export function registerSession(app: FastifyInstance, parts: SignInParts): void {
  const { sessions, token, password, cookie } = parts
  const idOf = (request: FastifyRequest) => request.cookies[cookie.name]

  app.get(gatewayPaths.session, (request) => sessionOf(request, parts))

  const attempts = new PasswordAttempts(maxWrongPasswords, minute)
  app.post(gatewayPaths.session, async (request, reply) => {
    const proof = parsed(signIn, request.body, 'The sign-in')
    if ('token' in proof) {
      // The token cannot be guessed, so attempts are not limited.
      if (!token.matches(proof.token)) {
        throw failure('signedOut', 'This sign-in link was already used or replaced. Open the newest link.')
      }
    } else {
      // Signed-in callers have attempts of their own, which strangers cannot use up.
      await attempts.check(sessions.find(idOf(request)) ?? 'strangers', async () => {
        if (!password || !(await password.matches(proof.password))) {
          throw failure('signedOut', 'Wrong password.')
        }
      })
    }
    // Every sign-in creates a new id, which prevents session fixation.
    const former = idOf(request)
    const way = 'token' in proof ? 'link' : 'password'
    setCookie(reply, cookie, sessions.start({ way, browser: request.headers['user-agent'] ?? '' }, former))
    if (way === 'link') {
      token.renew()
      parts.onTokenUsed()
    }
    return described(parts, true)
  })

  app.delete(gatewayPaths.session, (request, reply) => {
    const key = sessions.find(idOf(request))
    sessions.end(idOf(request))
    if (key !== null) parts.onSignOut?.(key)
    void reply.clearCookie(cookie.name, attributes(cookie))
    return described(parts, false)
  })
}

/** Lists the sessions and ends them, such as that of a lost browser. */
export function registerSessionList(app: FastifyInstance, { sessions, onSignOut }: SignInParts): void {
  const ended = (names: string[]) => {
    for (const name of names) onSignOut?.(name)
    return {}
  }
  app.get(pagePaths.sessions, (request) => sessions.list(request.sessionKey))
  app.delete(pagePaths.sessions, (request) => ended(sessions.endThose(({ name }) => name !== request.sessionKey)))
  app.delete(pagePaths.oneSession.replace('{sessionId}', ':sessionId'), (request) => {
    const { sessionId } = parsed(oneSession, request.params, 'The session ID')
    return ended(sessions.endThose(({ id }) => id === sessionId))
  })
}

const oneSession = z.object({ sessionId: pathId })

/** The session that a request belongs to. */
export function sessionOf(request: FastifyRequest, parts: SignInParts): Session {
  return described(parts, parts.sessions.find(request.cookies[parts.cookie.name]) !== null)
}

function described({ password, build }: SignInParts, signedIn: boolean): Session {
  return { signedIn, passwordOffered: password !== undefined, build }
}

/** Sets the session of a request. @throws signedOut */
export function requireSession(request: FastifyRequest, { sessions, cookie }: SignInParts): void {
  const key = sessions.find(request.cookies[cookie.name])
  if (key === null) throw failure('signedOut', 'Sign in to continue.')
  request.sessionKey = key
}

function setCookie(reply: FastifyReply, cookie: SignInParts['cookie'], id: string): void {
  void reply.setCookie(cookie.name, id, { ...attributes(cookie), maxAge: absoluteTimeout / 1000 })
}

function attributes({ secure }: SignInParts['cookie']) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
}
