/** The API of all connections side by side. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  comparisonQuery,
  comparisonsQuery,
  fieldsQuery,
  matchInput,
  matchRemoval,
  recordSearchQuery,
  statesQuery,
} from '#contract/console/environments.ts'
import { environmentPaths } from '#contract/console/environmentPaths.ts'
import { pathId } from '#contract/wire/kernel.ts'
import { sees } from '../identity/access/access.ts'
import type { Connections } from '../connections/connections.ts'
import { compressResponse } from '../http/compressedResponses.ts'
import { disconnectSignal, parsed, routePath } from '../http/requests.ts'
import type { Comparisons } from './comparisons.ts'
import type { ConnectionComparisons } from './connectionComparisons.ts'
import type { ConnectionStates } from './connectionStates.ts'
import type { PollCaller } from './longPoll.ts'
import type { Matches } from './matches.ts'
import type { RecordNames } from './recordNames.ts'

interface RouteDependencies {
  connections: Connections
  states: ConnectionStates
  comparisons: Comparisons
  allCompared: ConnectionComparisons
  matches: Matches
  names: RecordNames
  /** Each resolves once that part of what was read before the start is known. */
  restored: Record<'states' | 'comparisons' | 'names', Promise<unknown>>
}

const params = z.object({ connectionId: pathId })
const connectionOf = (request: FastifyRequest) => parsed(params, request.params, 'The connection ID').connectionId

export function registerEnvironments(app: FastifyInstance, parts: RouteDependencies): void {
  const { comparisons, allCompared, connections, matches, names, states, restored } = parts

  const seenBy = (request: FastifyRequest) => (id: string) => sees(request.access, connections, id)
  const callerOf = (request: FastifyRequest, reply: FastifyReply): PollCaller => {
    const isSeen = seenBy(request)
    const ids = connections.ids().filter(isSeen)
    return { ids, isSeen, signal: disconnectSignal(reply) }
  }

  app.get(environmentPaths.connectionStates, { onSend: compressResponse }, async (request, reply) => {
    const query = parsed(statesQuery, request.query, 'The query')
    const caller = callerOf(request, reply)
    await restored.states
    return states.read(query, caller)
  })
  app.get(routePath(environmentPaths.comparisons), { onSend: compressResponse }, async (request, reply) => {
    const query = parsed(comparisonsQuery, request.query, 'The query')
    const caller = callerOf(request, reply)
    await restored.comparisons
    return allCompared.read(connectionOf(request), query, caller)
  })
  app.get(routePath(environmentPaths.comparison), (request) =>
    comparisons.compare(
      connectionOf(request),
      parsed(comparisonQuery, request.query, 'The query').baseline,
      seenBy(request),
    ),
  )
  app.get(routePath(environmentPaths.comparedFields), (request) =>
    comparisons.fields(connectionOf(request), parsed(fieldsQuery, request.query, 'The query'), seenBy(request)),
  )
  app.post(environmentPaths.recordMatches, (request) => addMatch(parts, request))
  app.delete(environmentPaths.recordMatches, (request) => removeMatch(matches, request))
  app.get(environmentPaths.recordSearch, (request) => {
    const { q, without } = parsed(recordSearchQuery, request.query, 'The query')
    const isSeen = seenBy(request)
    return restored.names.then(() => names.search(q, (id) => id !== without && isSeen(id)))
  })
}

async function addMatch({ comparisons, connections, matches }: RouteDependencies, request: FastifyRequest) {
  const input = parsed(matchInput, request.body, 'The match')
  await comparisons.refuseUnknown(input)
  await matches.keepOnly((id) => connections.isStored(id))
  await matches.set(input)
  return {}
}

async function removeMatch(matches: Matches, request: FastifyRequest) {
  const { kind, connectionId, id } = parsed(matchRemoval, request.body, 'The match')
  await matches.remove(kind, { connectionId, id })
  return {}
}
