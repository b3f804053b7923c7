/** The form of a new pipe, of any source type. */
import type { NewForm } from '#console/shell/record/recordForm.ts'
import { pipeCreateStrict } from '#contract/pipeInputs.ts'
import { fieldLabels } from '../model/fieldLabels.ts'
import { createBody, createSchema } from './createBody.ts'
import type { PipeForm } from './pipeForm.ts'
import { pipeRefusals, shownFields } from './refusals.ts'

export const newModel: NewForm<PipeForm> = {
  titles: fieldLabels,
  schema: () => createSchema,
  body: (form) => pipeCreateStrict.parse(createBody(form)),
  refusals: (failure) => pipeRefusals(failure),
  errorPaths: shownFields,
}
