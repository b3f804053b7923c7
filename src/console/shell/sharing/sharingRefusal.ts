/** Why links of a connection cannot be shared with people without an account. */
import type { Connection } from '#contract/connections.ts'

/** Undefined if they can. Sharing changes nothing on the deployment, so that a lock does not matter. */
export function sharingRefusal({ stage, sharedLinks, writesRefused }: Connection): string | undefined {
  if (writesRefused !== undefined) return writesRefused
  if (stage !== 'production' || sharedLinks === true) return undefined
  return 'Shared links are off on production connections, unless an administrator allows them in the settings of the connection.'
}
