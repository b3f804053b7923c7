/** The API of all connections side by side. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  comparisonQuery,
  fieldsQuery,
  matchInput,
  matchRemoval,
  recordSearchQuery,
  stateQuery,
  type ConnectionState,
} from '#contract/environments.ts'
import { environmentPaths } from '#contract/environmentPaths.ts'
import { pathId } from '#contract/kernel.ts'
import { isUnread, recordsOf } from '#domain/records/inventory.ts'
import { recordKinds } from '#domain/records/kinds.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { sees } from '../access/access.ts'
import type { Connections } from '../connections/connections.ts'
import { parsed, routePath } from '../http/requests.ts'
import type { Comparisons } from './comparisons.ts'
import { problemOf, type Inventories } from '../inventories/inventories.ts'
import type { Matches } from './matches.ts'
import type { RecordNames } from './recordNames.ts'

interface RouteParts {
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  comparisons: Comparisons
  matches: Matches
  names: RecordNames
}

const params = z.object({ connectionId: pathId })
const connectionOf = (request: FastifyRequest) => parsed(params, request.params, 'The connection ID').connectionId

export function registerEnvironments(app: FastifyInstance, parts: RouteParts): void {
  const { comparisons, connections, matches, names } = parts

  const seenBy = (request: FastifyRequest) => (id: string) => sees(request.access, connections, id)

  app.get(routePath(environmentPaths.connectionState), (request) => {
    const { fresh, background } = parsed(stateQuery, request.query, 'The query')
    return stateOf(parts, connectionOf(request), {
      ...(fresh !== undefined && { maxAge: 0 }),
      ...(background !== undefined && { priority: 'background' }),
    })
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
  app.get(environmentPaths.recordSearch, (request) =>
    names.search(parsed(recordSearchQuery, request.query, 'The query').q, seenBy(request)),
  )
}

async function addMatch({ comparisons, connections, matches }: RouteParts, request: FastifyRequest) {
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

async function stateOf(
  { deployments, inventories }: RouteParts,
  connectionId: string,
  reading: Parameters<Inventories['read']>[1],
): Promise<ConnectionState> {
  const known = await inventories.read(connectionId, reading)
  const { inventory, latency, readAt, target } = known
  const problem = problemOf(known)
  const { limit, remaining } = deployments.budgetOf(target).state()
  const isLimited = Number.isFinite(limit)
  const counts = recordKinds.flatMap((kind) => {
    const records = inventory.records[kind]
    return isUnread(records) ? [] : [[kind, records.length] as const]
  })
  const firing = recordsOf(inventory, 'alerts').filter(({ state }) => state === 'ALERT').length
  return {
    connectionId,
    readAt,
    ...(problem === undefined ? { latency } : { problem }),
    budget: { limit: isLimited ? limit : null, remaining: isLimited ? remaining : null },
    counts: Object.fromEntries(counts),
    ...(!isUnread(inventory.records.alerts) && { firing }),
  }
}
