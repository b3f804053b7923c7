/** The part of an alert that a save writes: what lists need of it, without the form. */
import { sameValue } from '#console/ui/form/values.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import { readOnlyAlertFields } from '#contract/stack/readOnlyAlertFields.ts'

/** An alert without read-only fields. All other fields, known or not, are unchanged. */
export function writable(alert: Alert): Record<string, unknown> {
  return Object.fromEntries(Object.entries(alert).filter(([key]) => !readOnlyAlertFields.includes(key)))
}

/** Whether a deployment would take two alerts as the same: what only it sets does not count. */
export function sameWritable(a: Alert, b: Alert): boolean {
  return sameValue(writable(a), writable(b))
}
