/** The stage of a deployment, which determines its protection, its label and its color. */

export const stages = ['production', 'staging', 'development', 'local'] as const
export type Stage = (typeof stages)[number]

/** Where a stack serves the staging environment of its sample: the open-source variant below this path, records only. */
export const stagingPath = '/sample-staging'

/** The minutes for which writes on a production connection can be unlocked. */
export const writesAllowedMinutes = 15

const loopback =
  /^https?:\/\/(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?(?:\/|$)/i

/** The default stage of a connection: local on this machine, otherwise production. */
export function initialStage(baseUrl: string): Stage {
  return loopback.test(baseUrl) ? 'local' : 'production'
}
