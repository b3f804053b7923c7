/** Scaling a pipe from what was read of it: numbers that somebody else changed meanwhile are not overwritten unseen. */
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { pipeScalingInput } from '#contract/pipeScaling.ts'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { requestedValues } from '../model/scalingParameters.ts'

/** Throws ApiFailure, `conflict` where one of the numbers is no longer what was read. */
export function writeScaling(
  connectionId: string,
  params: { serviceId: string; dataPipeId: string },
  base: Pipe,
  values: Record<string, number>,
): Promise<Pipe> {
  return guardedWrite({
    base,
    record: pipes.get.result,
    unchanged: (now) => isSameSize(base, now, Object.keys(values)),
    onConflict: (now) => queryClient.setQueryData(q(connectionId, pipes.get, { params }).queryKey, now),
    write: (on) => call(connectionId, pipes.scaling, { params, body: pipeScalingInput.parse(values) }, { base: on }),
  })
}

/**
 * Whether nobody else scaled it. While a change takes effect, deployments may answer the old numbers or none: only the
 * date tells then that there was one.
 */
function isSameSize(base: Pipe, now: Pipe, fields: readonly string[]): boolean {
  const [before, after] = [requestedValues(base), requestedValues(now)]
  const isDated = now.updatedAt !== undefined
  return (
    now.updatedAt === base.updatedAt &&
    fields.every((field) => after[field] === before[field] || (isDated && after[field] === null))
  )
}
