/** When somebody else changed the alert while the form was open: what they changed, and the form on top of it. */
import type { Alert } from '#contract/alerts.ts'
import { alertFields, readForm, sameValue, type AlertField, type AlertForm } from './alertForm.ts'

export interface ConflictRow {
  field: AlertField
  before: AlertForm
  theirs: AlertForm
  mine: AlertForm
  /** Both changed it, to different values: one of them must give way. */
  contested: boolean
}

/** The fields that they changed since the form was opened. */
export function theirChanges(form: AlertForm, base: Alert, theirs: Alert): ConflictRow[] {
  const [before, after] = [readForm(base), readForm(theirs)]
  return alertFields
    .filter((field) => !sameValue(before[field], after[field]))
    .map((field) => ({
      field,
      before,
      theirs: after,
      mine: form,
      contested: !sameValue(form[field], before[field]) && !sameValue(form[field], after[field]),
    }))
}

/** The form on top of what they saved: my changes stay, but for the fields where theirs are taken. */
export function rebase(form: AlertForm, base: Alert, theirs: Alert, taken: readonly AlertField[]): AlertForm {
  const [before, after] = [readForm(base), readForm(theirs)]
  const mine = alertFields.filter((field) => !sameValue(form[field], before[field]) && !taken.includes(field))
  return { ...after, ...Object.fromEntries(mine.map((field) => [field, form[field]])) }
}
