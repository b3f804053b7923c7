/** The API of plans and runs. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { runPaths } from '#contract/environmentPaths.ts'
import { pathId } from '#contract/kernel.ts'
import { fileImportInput, fileImportStart, maxZipBytes } from '#contract/recordFiles.ts'
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
} from '#contract/runs.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { readInventory } from '#node/upstream/readInventory.ts'
import type { Connections } from '../connections/connections.ts'
import { actorOf, disconnectSignal, parsed } from '../http/requests.ts'
import { planView, refuseOther } from './planView.ts'
import type { FileImports } from './fileImports.ts'
import type { Promotions } from './promotions.ts'
import type { Restores } from './restores.ts'
import type { Runner } from './runner.ts'
import type { RunStore, StoredRun, StoredStep } from './runStore.ts'
import { planUndo } from '#domain/records/undo.ts'

interface RouteParts {
  connections: Connections
  deployments: Deployments
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

export function registerRuns(app: FastifyInstance, parts: RouteParts): void {
  const { runs, runner, promotions, restores, fileImports } = parts
  const url = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')
  /** A handler for the run that the path names. */
  const withRun =
    <T>(handle: (run: StoredRun, request: FastifyRequest, signal: AbortSignal) => Promise<T>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<T> => {
      const run = await runs.get(parsed(params, request.params, 'The ID of the run').runId)
      if (!run) throw failure('notFound', 'This run does not exist. It may be too old.')
      return handle(run, request, disconnectSignal(reply))
    }

  app.post(runPaths.promotionPlan, { bodyLimit }, (request, reply) =>
    promotions.plan(parsed(promotionInput, request.body, 'The promotion'), disconnectSignal(reply)),
  )
  app.post(runPaths.promotions, { bodyLimit }, (request, reply) =>
    promotions.start(parsed(promotionStart, request.body, 'The promotion'), actorOf(request), disconnectSignal(reply)),
  )
  app.post(url(runPaths.restorePlan), { bodyLimit }, (request, reply) =>
    restores.plan(connectionOf(request), parsed(restoreInput, request.body, 'The restore'), disconnectSignal(reply)),
  )
  app.post(url(runPaths.restores), { bodyLimit }, (request, reply) =>
    restores.start(
      connectionOf(request),
      parsed(restoreStart, request.body, 'The restore'),
      actorOf(request),
      disconnectSignal(reply),
    ),
  )
  app.post(url(runPaths.fileImportPlan), { bodyLimit: importLimit }, (request, reply) =>
    fileImports.plan(
      connectionOf(request),
      parsed(fileImportInput, request.body, 'The import'),
      disconnectSignal(reply),
    ),
  )
  app.post(url(runPaths.fileImports), { bodyLimit: importLimit }, (request, reply) =>
    fileImports.start(
      connectionOf(request),
      parsed(fileImportStart, request.body, 'The import'),
      actorOf(request),
      disconnectSignal(reply),
    ),
  )
  app.get(runPaths.runs, () => listRuns(runs))
  app.get(
    url(runPaths.run),
    withRun((run) => detail(parts, run)),
  )
  app.post(
    url(runPaths.runStop),
    withRun((run) => runner.stop(run).then(() => ({}))),
  )
  app.post(
    url(runPaths.runResume),
    withRun((run) => runner.resume(run).then(() => ({}))),
  )
  app.post(
    url(runPaths.undoPlan),
    { bodyLimit },
    withRun((run, request, signal) => showUndo(parts, run, request.body, signal)),
  )
  app.post(
    url(runPaths.undo),
    { bodyLimit },
    withRun((run, request, signal) => startUndo(parts, run, request, signal)),
  )
}

async function listRuns(runs: RunStore): Promise<Run[]> {
  const newest = await runs.list(maxListed)
  return Promise.all(newest.map(async (run) => summary(run, await runs.counts(run.id))))
}

async function showUndo(parts: RouteParts, run: StoredRun, body: unknown, signal: AbortSignal): Promise<TargetPlan> {
  const { sides } = parsed(undoInput, body ?? {}, 'The undo')
  const { target, plan } = await undoOf(parts, run, sides, signal)
  return planView(target, plan, [], parts.deployments.budgetOf(target).state())
}

async function startUndo(
  parts: RouteParts,
  run: StoredRun,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<Started> {
  const { sides, digest, continueOnFailure } = parsed(undoStart, request.body, 'The undo')
  const { target, plan } = await undoOf(parts, run, sides, signal)
  refuseOther(plan, digest)
  const details = { actor: actorOf(request), continueOnFailure, undoes: run.id }
  const { connectionId } = target
  return { runs: [await parts.runner.start({ kind: 'undo', connectionId, steps: plan.steps, details })] }
}

type Sides = z.output<typeof undoInput>['sides']

async function undoOf(
  { connections, deployments, runs }: RouteParts,
  run: StoredRun,
  sides: Sides,
  signal: AbortSignal,
) {
  if (run.state === 'running' || run.state === 'stopping') {
    throw failure('blocked', 'The run is under way. Stop it before it is undone.')
  }
  const target = connections.open(run.connectionId)
  const inventory = await readInventory(deployments, target, { priority: 'user', fresh: true, signal })
  const choices = new Map(Object.entries(sides).map(([key, fields]) => [key, new Map(Object.entries(fields))]))
  return { target, plan: planUndo(await runs.steps(run.id), inventory, choices) }
}

function summary(run: StoredRun, counts: Awaited<ReturnType<RunStore['counts']>>): Run {
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
    ...(from !== undefined && { from }),
    ...(undoes !== undefined && { undoes }),
    ...(undoneBy !== undefined && { undoneBy }),
    counts: { steps: waiting + running + done + failed + skipped, done, failed, skipped },
  }
}

async function detail({ runs }: RouteParts, run: StoredRun): Promise<RunDetail> {
  const steps = await runs.steps(run.id)
  const left = steps.filter(({ state }) => state === 'waiting' || state === 'running')
  return {
    ...summary(run, await runs.counts(run.id)),
    requestsLeft: left.reduce((sum, { step }) => sum + step.requests, 0),
    steps: steps.map(stepOf),
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
  }
}
