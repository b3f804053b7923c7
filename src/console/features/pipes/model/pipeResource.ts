/** Data pipes as a resource. They are listed for each service, and created with the form of their source type. */
import { paths } from '#console/paths/paths.ts'
import { changeKey, recordReads } from '#console/records/record/recordCalls.ts'
import { defineResource } from '#console/records/record/resource.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { isOneTimeLoad, isTransitional, pipeName } from './pipeLabels.ts'
import { effectiveValues } from './scalingParameters.ts'

/** Poll intervals of a pipe, milliseconds. */
const pollIntervals = {
  usual: 30_000,
  /** The pipe completes by itself. */
  ending: 10_000,
  /** The state is about to change. */
  passing: 3000,
}

function pollInterval(pipe: Pipe | undefined): number {
  if (pipe && isTransitional(pipe)) return pollIntervals.passing
  return pipe && isOneTimeLoad(pipe) ? pollIntervals.ending : pollIntervals.usual
}

/** The fields that users edit. The deployment changes the others by itself. */
const savedParts = ({ name, source, destination, fieldMappings }: Pipe) => ({
  name,
  source,
  destination,
  fieldMappings,
})

export const pipeResource = defineResource({
  api: pipes,
  noun: 'pipe',
  longNoun: 'data pipe',
  idParams: ['serviceId', 'dataPipeId'],
  paths: { list: paths.pipes, new: paths.newPipe, detail: paths.pipe, edit: paths.editPipe },
  live: { pollInterval, reported: effectiveValues },
  nameOf: pipeName,
  unchanged: (now, before) => sameValue(savedParts(now), savedParts(before)),
  deletion: {
    effect:
      'The pipe and its position in the source are deleted. Data that it has written stays. This cannot be undone, because the API does not return the pipe’s secrets.',
  },
})

/** Reads of a pipe's pages. */
export const pipeReads = recordReads(pipeResource)

/** The key of a pipe in pending changes and in the change log. */
export const pipeKey = (connectionId: string, pipeId: string): string => changeKey(pipeResource, connectionId, pipeId)
