/** The author of a change, and what they say about it: from the headers of a request. */
import type { FastifyRequest } from 'fastify'
import { changeRequestHeader } from '#contract/console/changeRequestPaths.ts'
import { changeRequestDraft } from '#contract/console/changeRequests.ts'
import { refusal } from '#node/upstream/apiFailure.ts'
import { actorOf, parsed } from '../http/requests.ts'
import type { ChangeAuthor } from './twoPersonApproval.ts'

/** @throws invalid for a header that is not as the contract has it */
export function changeAuthorOf(request: FastifyRequest): ChangeAuthor {
  const { access, headers } = request
  return {
    personId: access?.personId ?? null,
    isToken: access?.isToken ?? false,
    principal: access?.principal ?? null,
    actor: actorOf(request),
    agent: request.agent,
    draft: parsed(changeRequestDraft, draftIn(headers[changeRequestHeader]), changeRequestHeader),
  }
}

function draftIn(header: string | string[] | undefined): unknown {
  if (header === undefined) return {}
  try {
    return JSON.parse(decodeURIComponent(String(header)))
  } catch {
    throw refusal(400, `${changeRequestHeader} must be JSON, encoded like a part of a URL.`)
  }
}
