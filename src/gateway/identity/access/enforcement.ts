/** Enforces the rules of all routes. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { pathId } from '#contract/wire/kernel.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { parsed } from '../../http/requests.ts'
import { refuseBeyond, refuseOthers, sees, type Access, type Stages } from './access.ts'
import { routeRule, type Demand, type Rule } from './routeRules.ts'

/** The connections of a run. */
interface RunPlace {
  connectionId: string
  from?: string | undefined
}

export interface EnforcementDependencies {
  stages: Stages
  runPlace(runId: string): Promise<RunPlace | undefined>
  /** The connection of a change request. */
  changeRequestPlace(requestId: string): Promise<string | undefined>
}

const connectionParams = z.looseObject({ connectionId: pathId })
const baselineQuery = z.looseObject({ baseline: pathId })
const runParams = z.looseObject({ runId: pathId })
const changeRequestParams = z.looseObject({ requestId: pathId })

/** Whether a route can be used without a session. */
export function isOpen(request: FastifyRequest): boolean {
  return ruleFor(request) === 'open'
}

/**
 * Checks the sender of every request of the API once the route is known: first what the address says, and what the body says
 * once it is read. Every route that is registered from now on must have a rule.
 */
export function enforceRoles(app: FastifyInstance, parts: EnforcementDependencies): void {
  app.addHook('onRoute', ({ method, url }) => {
    if (!url.startsWith('/api/')) return
    for (const verb of [method].flat()) {
      if (!routeRule(verb, url)) throw new Error(`${verb} ${url} has no rule in access/routeRules.ts.`)
    }
  })
  app.addHook('onRequest', async (request) => {
    const rule = ruleFor(request)
    if (rule === undefined || rule === 'open') return
    refuseByAddress(rule, accessOf(request), parts.stages, request)
  })
  app.addHook('preHandler', async (request) => {
    const rule = ruleFor(request)
    if (typeof rule !== 'object') return
    const demands = await demandsOf(rule, request, parts)
    for (const demand of demands) refuseDemand(accessOf(request), parts.stages, demand)
  })
}

function ruleFor({ method, routeOptions: { url } }: FastifyRequest): Rule | undefined {
  return url === undefined ? undefined : routeRule(method, url)
}

function accessOf({ access }: FastifyRequest): Access {
  if (access === null) throw failure('signedOut', 'Sign in to continue.')
  return access
}

function refuseByAddress(rule: Rule, access: Access, stages: Stages, request: FastifyRequest): void {
  if (access.isToken && (rule === 'own' || rule === 'people')) {
    throw failure('forbidden', 'Tokens cannot be used for sessions and accounts. Sign in.')
  }
  if (rule === 'people' || rule === 'administrator') refuseOthers(access)
  if (access.isToken && typeof rule === 'object' && 'peopleOnly' in rule) {
    throw failure('forbidden', 'A person must do this. Tokens cannot be used for it: sign in.')
  }
  if (typeof rule !== 'object' || !('connection' in rule)) return
  const { connectionId } = parsed(connectionParams, request.params, 'The connection ID')
  refuseBeyond(access, stages, connectionId, rule.connection)
  if (rule.baseline) {
    refuseBeyond(access, stages, parsed(baselineQuery, request.query, 'The query').baseline, 'read')
  }
}

async function demandsOf(
  rule: Exclude<Rule, string>,
  request: FastifyRequest,
  { runPlace, changeRequestPlace, stages }: EnforcementDependencies,
): Promise<Demand[]> {
  if ('body' in rule) return rule.body(request.body)
  if ('changeRequest' in rule) {
    const connectionId = await changeRequestPlace(parsed(changeRequestParams, request.params, 'The ID').requestId)
    if (connectionId === undefined) return []
    if (!sees(request.access, stages, connectionId)) throw unknownChangeRequest()
    return [{ connectionId, need: rule.changeRequest }]
  }
  if (!('run' in rule)) return []
  const place = await runPlace(parsed(runParams, request.params, 'The ID of the run').runId)
  // The handler says that it does not exist.
  if (!place) return []
  const { connectionId, from } = place
  // Somebody who does not see the connection does not see its runs either.
  if (!sees(request.access, stages, connectionId)) throw unknownRun()
  const copiesFrom = rule.run !== 'read' && from !== undefined && stages.stageOf(from) !== undefined
  return [{ connectionId, need: rule.run }, ...(copiesFrom ? [{ connectionId: from, need: 'read' } as const] : [])]
}

/** The error of a run that does not exist and of one that the sender may not see: nobody can tell which. */
export function unknownRun() {
  return failure('notFound', 'This run does not exist. It may be too old.')
}

/** The error of a change request that does not exist and of one that the sender may not see: nobody can tell which. */
export function unknownChangeRequest() {
  return failure('notFound', 'This change request does not exist.')
}

function refuseDemand(access: Access, stages: Stages, { connectionId, need }: Demand): void {
  if (connectionId !== null) refuseBeyond(access, stages, connectionId, need)
  else refuseOthers(access)
}
