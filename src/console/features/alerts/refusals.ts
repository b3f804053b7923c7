/** Refusals of deployments that name no field: docs/DEPLOYMENTS.md#alerts, and the fields they mean. */
import type { ApiFailure } from '#console/api/failure.ts'

const meant: readonly (readonly [says: RegExp, field: string])[] = [
  [/dashboard (?:id|not found)/i, 'dashboardId'],
  [/saved search/i, 'savedSearchId'],
  [/tile not found|raw sql/i, 'tileId'],
  [/webhook|notification channel/i, 'channels'],
]

/** Where each refusal belongs on the form. Empty if the form has no field for it. */
export function refusals(failure: ApiFailure): { path: string; message: string }[] {
  // Both spell where the first channel's webhook is.
  if (failure.fields?.length)
    return failure.fields.map((one) => ({ ...one, path: one.path.replace(/^channel\b/, 'channels.0') }))
  if (failure.code !== 'invalid') return []
  const field = meant.find(([says]) => says.test(failure.message))?.[1]
  return field ? [{ path: field, message: failure.message }] : []
}
