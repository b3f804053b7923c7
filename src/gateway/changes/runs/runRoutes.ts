/** The API of plans and runs. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { runPaths } from '#contract/console/environmentPaths.ts'
import { pathId } from '#contract/wire/kernel.ts'
import { fileImportInput, fileImportStart, maxZipBytes } from '#contract/console/recordFiles.ts'
import {
  promotionInput,
  promotionStart,
  restoreInput,
  restoreStart,
  undoInput,
  undoStart,
  type Run,
  type RunDetail,
  type Started,
  type TargetPlan,
} from '#contract/console/runs.ts'
import { choicesOf } from '#domain/records/plan.ts'
import { planUndoStepwise } from '#domain/records/undo.ts'
import { withEntered } from '#domain/records/unreturned.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { runInTimeSlices } from '#node/concurrency/timeSlices.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { sees } from '../../identity/access/access.ts'
import { unknownRun } from '../../identity/access/enforcement.ts'
import { changeAuthorOf } from '../../approvals/changeAuthor.ts'
import type { Connections } from '../../connections/connections.ts'
import { actorOf, parsed, routePath } from '../../http/requests.ts'
import { inventoryFreshFor, type Inventories } from '../../inventories/inventories.ts'
import { isDecided } from './decisions.ts'
import { planView, refuseOther, secondsFor } from './planView.ts'
import type { FileImports } from './fileImports.ts'
import type { Promotions } from './promotions.ts'
import type { Restores } from './restores.ts'
import type { Runner } from './runner.ts'
import type { RunStore, Sender, StoredRun, StoredStep } from './runStore.ts'

interface RouteDependencies {
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  runs: RunStore
  runner: Runner
  promotions: Promotions
  restores: Restores
  fileImports: FileImports
}

/** Runs in a list. */
const maxListed = 100
/** Bytes of a plan's choices. */
const bodyLimit = 4 * 1024 * 1024
/** Bytes of a zip as base64, and of the choices beside it. */
const importLimit = Math.ceil(maxZipBytes / 3) * 4 + bodyLimit

const params = z.object({ runId: pathId })
const connectionParams = z.object({ connectionId: pathId })
const connectionOf = (request: FastifyRequest) =>
  parsed(connectionParams, request.params, 'The connection ID').connectionId

export function registerRuns(app: FastifyInstance, parts: RouteDependencies): void {
  const { runs, runner, promotions, restores, fileImports } = parts
  /** A handler for the run that the path names. */
  const withRun =
    <T>(handle: (run: StoredRun, request: FastifyRequest, reply: FastifyReply) => Promise<T>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<T> => {
      const run = await runs.get(parsed(params, request.params, 'The ID of the run').runId)
      if (!run) throw unknownRun()
      return handle(runner.actual(run), request, reply)
    }

  app.post(runPaths.promotionPlan, { bodyLimit }, (request) =>
    promotions.plan(parsed(promotionInput, request.body, 'The promotion')),
  )
  app.post(runPaths.promotions, { bodyLimit }, (request, reply) =>
    replyStarted(reply, promotions.start(parsed(promotionStart, request.body, 'The promotion'), senderOf(request))),
  )
  app.post(routePath(runPaths.restorePlan), { bodyLimit }, (request) =>
    restores.plan(connectionOf(request), parsed(restoreInput, request.body, 'The restore')),
  )
  app.post(routePath(runPaths.restores), { bodyLimit }, (request, reply) => {
    const input = parsed(restoreStart, request.body, 'The restore')
    return replyStarted(reply, restores.start(connectionOf(request), input, senderOf(request)))
  })
  app.post(routePath(runPaths.fileImportPlan), { bodyLimit: importLimit }, (request) =>
    fileImports.plan(connectionOf(request), parsed(fileImportInput, request.body, 'The import')),
  )
  app.post(routePath(runPaths.fileImports), { bodyLimit: importLimit }, (request, reply) => {
    const input = parsed(fileImportStart, request.body, 'The import')
    return replyStarted(reply, fileImports.start(connectionOf(request), input, senderOf(request)))
  })
  app.get(runPaths.runs, (request) => listRuns(parts, seenBy(parts, request)))
  app.get(
    routePath(runPaths.run),
    withRun((run, request) => detail(parts, run, seenBy(parts, request))),
  )
  app.post(
    routePath(runPaths.runStop),
    withRun((run) => runner.stop(run).then(() => ({}))),
  )
  app.post(
    routePath(runPaths.runResume),
    withRun((run, request) => runner.resume(run, senderOf(request)).then(() => ({}))),
  )
  app.post(
    routePath(runPaths.undoPlan),
    { bodyLimit },
    withRun((run, request) => showUndo(parts, run, request.body)),
  )
  app.post(
    routePath(runPaths.undo),
    { bodyLimit },
    withRun((run, request, reply) => replyStarted(reply, startUndo(parts, run, request))),
  )
}

type IsSeen = (connectionId: string) => boolean

function seenBy({ connections }: RouteDependencies, { access }: FastifyRequest): IsSeen {
  return (connectionId) => sees(access, connections, connectionId)
}

function senderOf(request: FastifyRequest): Sender {
  const by = request.access?.principal ?? undefined
  return {
    actor: actorOf(request),
    personId: request.access?.personId ?? null,
    ...(by !== undefined && { by }),
    author: changeAuthorOf(request),
  }
}

/** A start of which all or a part waits for approval is accepted, and not done. */
async function replyStarted(reply: FastifyReply, starting: Promise<Started>): Promise<Started> {
  const started = await starting
  if (started.held.length > 0) void reply.code(202)
  return started
}

async function listRuns({ runs, runner }: RouteDependencies, isSeen: IsSeen): Promise<Run[]> {
  const newest = (await runs.list(maxListed)).filter(({ connectionId }) => isSeen(connectionId))
  return Promise.all(newest.map(async (run) => summary(runner.actual(run), await runs.counts(run.id), isSeen)))
}

async function showUndo(parts: RouteDependencies, run: StoredRun, body: unknown): Promise<TargetPlan> {
  const decided = parsed(undoInput, body ?? {}, 'The undo')
  const { target, plan } = await undoOf(parts, run, decided, isDecided(decided) ? inventoryFreshFor : 0)
  return planView(target, plan, [], parts.deployments.budgetOf(target).state())
}

async function startUndo(parts: RouteDependencies, run: StoredRun, request: FastifyRequest): Promise<Started> {
  const { digest, continueOnFailure, ...decided } = parsed(undoStart, request.body, 'The undo')
  const { target, plan } = await undoOf(parts, run, decided, 0)
  refuseOther(plan, digest)
  const { from, fromDeployment, origins } = run.details
  const details = { ...senderOf(request), continueOnFailure, undoes: run.id, from, fromDeployment, origins }
  return parts.runner.start([{ kind: 'undo', target, steps: plan.steps, details }])
}

async function undoOf(
  { inventories, runner, runs }: RouteDependencies,
  run: StoredRun,
  { sides, entered }: z.output<typeof undoInput>,
  maxAge: number,
) {
  if (run.state === 'running' || run.state === 'stopping') {
    throw failure('blocked', 'The run is under way. Stop it before it is undone.')
  }
  const target = runner.targetOf(run.connectionId, run.details)
  const { inventory } = await inventories.read(run.connectionId, { maxAge, priority: 'user' })
  const plan = await runInTimeSlices(planUndoStepwise(await runs.steps(run.id), inventory, choicesOf(sides)))
  return { target, plan: withEntered(plan, entered) }
}

function summary(run: StoredRun, counts: Awaited<ReturnType<RunStore['counts']>>, isSeen: IsSeen): Run {
  const { id, number, kind, state, connectionId, startedAt, finishedAt, details } = run
  const { from, undoes, undoneBy, actor } = details
  const { waiting, running, done, failed, skipped } = counts
  return {
    id,
    number,
    kind,
    state,
    connectionId,
    startedAt,
    actor,
    ...(finishedAt !== undefined && { finishedAt }),
    ...(kind === 'promotion' && from !== undefined && isSeen(from) && { from }),
    ...(undoes !== undefined && { undoes }),
    ...(undoneBy !== undefined && { undoneBy }),
    counts: { steps: waiting + running + done + failed + skipped, done, failed, skipped },
  }
}

async function detail(
  { runs, connections, deployments }: RouteDependencies,
  run: StoredRun,
  isSeen: IsSeen,
): Promise<RunDetail> {
  const { steps, damaged } = await runs.shownSteps(run.id)
  const left = steps.filter(({ state }) => state === 'waiting' || state === 'running')
  const requestsLeft = left.reduce((sum, { step }) => sum + step.requests, 0)
  const isKnown = connections.list().some(({ id }) => id === run.connectionId)
  const target = isKnown ? connections.open(run.connectionId) : undefined
  return {
    ...summary(run, await runs.counts(run.id), isSeen),
    requestsLeft,
    secondsLeft: target ? secondsFor(requestsLeft, target, deployments.budgetOf(target).state()) : 0,
    steps: steps.map(stepOf),
    ...(damaged.length > 0 && { damaged: damaged.map(({ message }) => message) }),
  }
}

function stepOf({ step, state, outcome }: StoredStep): RunDetail['steps'][number] {
  const { key, kind, name, action, id } = step
  const isDone = outcome?.state === 'done'
  return {
    key,
    kind,
    name,
    action,
    state,
    ...(outcome && !isDone && { reason: outcome.reason }),
    id: isDone ? outcome.id : id,
    found: isDone && outcome.found === true,
    ...(isDone && outcome.notKept && { notKept: [...outcome.notKept] }),
  }
}
