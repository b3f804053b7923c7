/** The form of a new pipe, of any source type, and the services that it can be created in. */
import type { NewForm } from '#console/records/record/recordForm.ts'
import { pipeCreateStrict } from '#contract/cloud/pipes/pipeInputs.ts'
import { fieldLabels } from '../model/fieldLabels.ts'
import { createBody, createSchema } from '../forms/createBody.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import type { PipeForm } from '../forms/pipeForm.ts'
import { pipeRefusals, shownFields } from '../forms/refusals.ts'

export const newModel: NewForm<PipeForm> = {
  titles: fieldLabels,
  schema: () => createSchema,
  body: (form) => pipeCreateStrict.parse(createBody(form)),
  refusals: (failure) => pipeRefusals(failure),
  errorPaths: shownFields,
}

/** Why a pipe cannot be created in a service. Undefined if it can. */
export function serviceBlocker({ state }: Service): string | undefined {
  if (state === 'running') return undefined
  if (state === 'idle') return 'Idle: wake it first.'
  if (state === 'stopped') return 'Stopped: start it first.'
  return `Must be running (state: ${state?.replaceAll('_', ' ') ?? 'unknown'}).`
}
