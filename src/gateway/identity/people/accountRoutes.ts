/** The API of the caller's own account: password and personal tokens. Other ways to sign in: `sessions/accountSignInMethods.ts`. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { pathId } from '#contract/wire/kernel.ts'
import { passwordChange, tokenInput, type Person } from '#contract/console/people.ts'
import { peoplePaths } from '#contract/console/peoplePaths.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { parsed } from '../../http/requests.ts'
import type { PeopleDependencies } from './peopleRoutes.ts'

const tokenParams = z.object({ tokenId: pathId })

export function registerAccount(app: FastifyInstance, parts: PeopleDependencies): void {
  const { tokens } = parts
  app.put(peoplePaths.accountPassword, (request) => changePassword(parts, request))
  app.post(peoplePaths.tokens, (request) =>
    tokens.create(callerOf(request).id, parsed(tokenInput, request.body, 'The token')),
  )
  app.delete(peoplePaths.token.replace('{tokenId}', ':tokenId'), (request) => revokeToken(parts, request))
}

async function revokeToken({ tokens }: PeopleDependencies, request: FastifyRequest) {
  const { tokenId } = parsed(tokenParams, request.params, 'The ID of the token')
  await tokens.revoke(callerOf(request).id, tokenId)
  return {}
}

/** All other sessions of the person end, because somebody else may have used the former password. */
async function changePassword({ people, endSessions }: PeopleDependencies, request: FastifyRequest) {
  const { id } = callerOf(request)
  const { current, password } = parsed(passwordChange, request.body, 'The password')
  if (!(await people.hasPassword(id, current))) {
    const message = 'This is not your current password.'
    throw failure('invalid', message, { fields: [{ path: 'current', message }] })
  }
  await people.setPassword(id, password)
  await endSessions(id, request.sessionKey)
  return {}
}

/** @throws blocked for a caller without an account */
export function callerOf({ person }: FastifyRequest): Person {
  if (person) return person
  throw failure('blocked', 'You are signed in without an account. An administrator can add you under People.')
}
