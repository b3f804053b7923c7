/** Scaling a pipe from what was read of it: numbers that somebody else changed meanwhile are not overwritten unseen. */
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { pipeScalingInput } from '#contract/pipeScaling.ts'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { wantedOf } from './knobs.ts'

/** Throws ApiFailure, `conflict` where one of the numbers is no longer what was read. */
export function writeScaling(
  connectionId: string,
  params: { serviceId: string; dataPipeId: string },
  base: Pipe,
  values: Record<string, number>,
): Promise<Pipe> {
  const before = wantedOf(base)
  return guardedWrite({
    base,
    record: pipes.get.result,
    // Deployments may answer the old numbers while a change takes effect: only the date tells that there was one.
    unchanged: (now) =>
      now.updatedAt === base.updatedAt && Object.keys(values).every((field) => wantedOf(now)[field] === before[field]),
    onConflict: (now) => queryClient.setQueryData(q(connectionId, pipes.get, { params }).queryKey, now),
    write: (on) => call(connectionId, pipes.scaling, { params, body: pipeScalingInput.parse(values) }, { base: on }),
  })
}
