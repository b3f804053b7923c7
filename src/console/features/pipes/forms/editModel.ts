/** The edit form of each source type. Only changes are sent; stored secrets stay unless they are entered again. */
import type { EditForm } from '#console/shell/record/recordForm.ts'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { sameValue } from '#console/ui/form/values.ts'
import type { Pipe } from '#contract/pipes.ts'
import { fieldLabels } from '../model/fieldLabels.ts'
import { readForm, type CreatableKind, type PipeForm } from './pipeForm.ts'
import { pipeRefusals, shownFields } from './refusals.ts'
import {
  changedPaths,
  editablePaths,
  editableValues,
  formatValue,
  hasNewSecrets,
  rowPath,
  updateBody,
  updateSchema,
  withEditableValues,
  withoutNewSecrets,
  type EditableValues,
} from './updateBody.ts'

function editModel(kind: CreatableKind): EditForm<Pipe, PipeForm, EditableValues> {
  const read = (pipe: Pipe) => readForm(pipe, kind)
  const stored = (pipe: Pipe) => editableValues(read(pipe))
  return {
    titles: fieldLabels,
    read,
    schema: (base) => updateSchema(base, kind),
    body: updateBody,
    changed: changedPaths,
    formatValue,
    refusals: (failure, form, base) => pipeRefusals(failure, (path) => rowPath(path, form, read(base))),
    errorPaths: shownFields,
    // Changed secrets show in the date only.
    applied: (form, now, base) =>
      now.updatedAt !== base.updatedAt && Object.keys(updateBody(withoutNewSecrets(form), now)).length === 0,
    // Secrets of others show in the date only. They matter if this save contains secrets too.
    writable: (form, now, base) =>
      sameValue(stored(now), stored(base)) && (now.updatedAt === base.updatedAt || !hasNewSecrets(form)),
    conflicts: (form, base, theirs) =>
      theirChanges(editablePaths(kind), editableValues(form), stored(base), stored(theirs)),
    merge: (form, base, theirs, taken) =>
      withEditableValues(
        read(theirs),
        rebase(editablePaths(kind), editableValues(form), stored(base), stored(theirs), taken),
      ),
  }
}

export const editModels: Record<CreatableKind, ReturnType<typeof editModel>> = {
  objectStorage: editModel('objectStorage'),
  kafka: editModel('kafka'),
  kinesis: editModel('kinesis'),
  postgres: editModel('postgres'),
}
