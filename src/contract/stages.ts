/** What a deployment is for. How carefully it is treated follows from that, and so do its word and colour. */

export const stages = ['production', 'staging', 'development', 'local'] as const
export type Stage = (typeof stages)[number]

/** Minutes for which writes on a production connection can be allowed at a time. */
export const liftMinutes = 15

const loopback =
  /^https?:\/\/(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?(?:\/|$)/i

/** The stage of a connection for which nobody has chosen one: local on this machine, else production. */
export function initialStage(baseUrl: string): Stage {
  return loopback.test(baseUrl) ? 'local' : 'production'
}
