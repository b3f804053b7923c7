/** Plans and runs: promotions, restores, and undoing them. */
import { queryOptions } from '@tanstack/react-query'
import { runPaths } from '#contract/console/environmentPaths.ts'
import { fillPath } from '#contract/wire/kernel.ts'
import type {
  PromotionInput,
  PromotionPlan,
  PromotionStart,
  RestoreInput,
  Run,
  RunDetail,
  Started,
  TargetPlan,
  UndoInput,
} from '#contract/console/runs.ts'
import { approvalHeaders, noteHeld } from '../approval.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

/** Milliseconds between two reads of a run that is under way. */
const pollInterval = 700

/** A plan reads and changes nothing. */
export const plan = <T>(path: string, body: unknown, signal?: AbortSignal) =>
  send<T>(path, { method: 'POST', body, mutates: false, signal })

export const promotionPlanQuery = (input: PromotionInput) =>
  queryOptions({
    queryKey: ['promotionPlan', input],
    queryFn: ({ signal }) => plan<PromotionPlan>(runPaths.promotionPlan, input, signal),
    staleTime: 0,
  })

export const restorePlanQuery = (connectionId: string, input: RestoreInput) =>
  queryOptions({
    queryKey: ['restorePlan', connectionId, input],
    queryFn: ({ signal }) => plan<TargetPlan>(fillPath(runPaths.restorePlan, { connectionId }), input, signal),
    staleTime: 0,
  })

export const undoPlanQuery = (runId: string, input: UndoInput) =>
  queryOptions({
    queryKey: ['undoPlan', runId, input],
    queryFn: ({ signal }) => plan<TargetPlan>(fillPath(runPaths.undoPlan, { runId }), input, signal),
    staleTime: 0,
  })

/** The newest first. */
export const runsQuery = queryOptions({
  queryKey: ['runs'],
  queryFn: ({ signal }) => send<Run[]>(runPaths.runs, { signal }),
})

export const isUnderWay = ({ state }: Pick<Run, 'state'>) => state === 'running' || state === 'stopping'

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId],
    queryFn: ({ signal }) => send<RunDetail>(fillPath(runPaths.run, { runId }), { signal }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? pollInterval : false),
  })

export const startPromotion = (input: PromotionStart) =>
  startRuns(
    runPaths.promotions,
    input,
    input.targets.map(({ connectionId }) => connectionId),
  )

export const startRestore = (connectionId: string, input: RestoreInput, digest: string) =>
  startRuns(fillPath(runPaths.restores, { connectionId }), { ...input, digests: { [connectionId]: digest } }, [
    connectionId,
  ])

export const startUndo = (run: Pick<Run, 'id' | 'connectionId'>, input: UndoInput, digest: string) =>
  startRuns(fillPath(runPaths.undo, { runId: run.id }), { ...input, digest }, [run.connectionId])

export async function stopRun(runId: string): Promise<void> {
  await send(fillPath(runPaths.runStop, { runId }), { method: 'POST' })
  await queryClient.invalidateQueries({ queryKey: ['runs'] })
}

export async function resumeRun(runId: string): Promise<void> {
  await send(fillPath(runPaths.runResume, { runId }), { method: 'POST' })
  await queryClient.invalidateQueries({ queryKey: ['runs'] })
}

/**
 * @param connectionIds that the runs write to
 * @returns the ids of the runs that were started. The others wait for approval, which a message says.
 */
export async function startRuns(path: string, body: unknown, connectionIds: readonly string[]): Promise<string[]> {
  const headers = await approvalHeaders(connectionIds)
  const { runs, held } = await send<Started>(path, { method: 'POST', body, headers })
  for (const request of held) noteHeld(request)
  await queryClient.invalidateQueries({ queryKey: ['runs'] })
  return runs
}
