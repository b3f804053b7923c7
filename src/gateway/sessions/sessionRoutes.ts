/** Signing in and out: by the link's token or by the lasting password. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayPaths, signIn, type Session } from '#contract/connections.ts'
import { pathId } from '#contract/kernel.ts'
import { z } from 'zod'
import { failure } from '../http/errors.ts'
import { Guesses } from './wrongGuesses.ts'
import { parsed } from '../http/requests.ts'
import { absoluteTimeout, type Password, type Sessions, type SignInToken } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Names the session of a signed-in request; empty before that is checked. */
    sessionKey: string
  }
}

export interface SignInParts {
  sessions: Sessions
  token: SignInToken
  password?: Password | undefined
  build: string
  /** Named by the port, because cookies of one host are shared by all of its ports. */
  cookie: { name: string; secure: boolean }
  onTokenUsed(): void
  /** Told the name of a session that somebody ended. */
  onSignOut?(sessionKey: string): void
}

/** Passwords that may be wrong within a minute, all callers together: there is one secret to guess. */
const wrongPasswords = 20
const minute = 60_000

export function registerSession(app: FastifyInstance, parts: SignInParts): void {
  const { sessions, token, password, cookie } = parts
  const idOf = (request: FastifyRequest) => request.cookies[cookie.name]

  app.get(gatewayPaths.session, (request) => sessionOf(request, parts))

  const guesses = new Guesses(wrongPasswords, minute)
  app.post(gatewayPaths.session, async (request, reply) => {
    const proof = parsed(signIn, request.body, 'The sign-in')
    if ('token' in proof) {
      // Nobody guesses it: the right link opens however many wrong ones and passwords were tried.
      if (!token.matches(proof.token)) {
        throw failure('signedOut', 'This sign-in link was used or replaced: open the newest one.')
      }
    } else {
      // Whoever is signed in has tries of their own, which strangers cannot use up.
      await guesses.count(sessions.find(idOf(request)) ?? 'strangers', async () => {
        if (!password || !(await password.matches(proof.password))) {
          throw failure('signedOut', 'The password is not right.')
        }
      })
    }
    // A new id with every sign-in: one that somebody planted before is worth nothing.
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

/** Who else is signed in, and ending that: for a browser that was lost, or left open somewhere. */
export function registerSessionList(app: FastifyInstance, { sessions, onSignOut }: SignInParts): void {
  const ended = (names: string[]) => {
    for (const name of names) onSignOut?.(name)
    return {}
  }
  app.get(gatewayPaths.sessions, (request) => sessions.list(request.sessionKey))
  app.delete(gatewayPaths.sessions, (request) => ended(sessions.endThose(({ name }) => name !== request.sessionKey)))
  app.delete(gatewayPaths.oneSession.replace('{sessionId}', ':sessionId'), (request) => {
    const { sessionId } = parsed(oneSession, request.params, 'The session id')
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

/** Throws signedOut, or names the session on the request. */
export function requireSession(request: FastifyRequest, { sessions, cookie }: SignInParts): void {
  const key = sessions.find(request.cookies[cookie.name])
  if (key === null) throw failure('signedOut', 'Sign in to go on.')
  request.sessionKey = key
}

function setCookie(reply: FastifyReply, cookie: SignInParts['cookie'], id: string): void {
  void reply.setCookie(cookie.name, id, { ...attributes(cookie), maxAge: absoluteTimeout / 1000 })
}

function attributes({ secure }: SignInParts['cookie']) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
}
