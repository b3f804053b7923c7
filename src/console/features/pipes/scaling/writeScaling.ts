/** Scales a pipe unless somebody else changed it meanwhile, or the same parameters where the deployment tells no date of changes. */
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { pipeScalingInput } from '#contract/cloud/pipes/pipeScaling.ts'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { pipeName } from '../model/pipeLabels.ts'
import { requestedValues, pipeScalingTitles } from '../model/scalingParameters.ts'

interface PipeParams {
  serviceId: string
  dataPipeId: string
}

/** Sends values, with the pipe that they start from. */
export const sendScaling = (connectionId: string, params: PipeParams, values: Record<string, number>, current: Pipe) =>
  call(
    connectionId,
    pipes.scaling,
    { params, body: pipeScalingInput.parse(values) },
    { base: current, titles: pipeScalingTitles, record: `Data pipe ${pipeName(current)}` },
  )

/** Throws ApiFailure, with `conflict` if one of the parameters has changed since it was read. */
export function writeScaling(
  connectionId: string,
  params: PipeParams,
  base: Pipe,
  values: Record<string, number>,
): Promise<Pipe> {
  return guardedWrite({
    base,
    record: pipes.get.result,
    unchanged: (now) => isSameSize(base, now, Object.keys(values)),
    onConflict: (now) => queryClient.setQueryData(q(connectionId, pipes.get, { params }).queryKey, now),
    write: (current) => sendScaling(connectionId, params, values, current),
  })
}

/**
 * Whether nobody else has scaled the pipe. During a change a deployment may report old values or none; then only the
 * date shows that there was one.
 */
export function isSameSize(base: Pipe, now: Pipe, fields: readonly string[]): boolean {
  const [before, after] = [requestedValues(base), requestedValues(now)]
  const isDated = now.updatedAt !== undefined
  return (
    now.updatedAt === base.updatedAt &&
    fields.every((field) => after[field] === before[field] || (isDated && after[field] === null))
  )
}
