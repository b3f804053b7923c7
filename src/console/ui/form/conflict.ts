/** Conflicts with changes by others while a form was open: their changes, and the form on top of them. */
import { sameValue } from './values.ts'

/** The side whose value is kept. */
export type Side = 'mine' | 'theirs'

export interface ConflictRow<Form extends object> {
  field: keyof Form & string
  before: Form
  theirs: Form
  mine: Form
  /** Both changed it to different values, so one must be chosen. */
  contested: boolean
}

/** The fields that they changed since the form was opened; all three as forms. */
export function theirChanges<Form extends object>(
  fields: readonly (keyof Form & string)[],
  mine: Form,
  before: Form,
  theirs: Form,
): ConflictRow<Form>[] {
  return fields
    .filter((field) => !sameValue(before[field], theirs[field]))
    .map((field) => ({
      field,
      before,
      theirs,
      mine,
      contested: !sameValue(mine[field], before[field]) && !sameValue(mine[field], theirs[field]),
    }))
}

/** The form on top of their changes: my changes are kept, except for the fields with their values. */
export function rebase<Form extends object>(
  fields: readonly (keyof Form & string)[],
  mine: Form,
  before: Form,
  theirs: Form,
  taken: readonly (keyof Form & string)[],
): Form {
  const ownChanges = fields.filter((field) => !sameValue(mine[field], before[field]) && !taken.includes(field))
  return { ...theirs, ...Object.fromEntries(ownChanges.map((field) => [field, mine[field]])) }
}
