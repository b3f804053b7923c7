/** Which pipes and services need somebody, by the state that their deployment reports. */

/** Services whose pipes are read without being asked for: each takes a request. */
export const maxServicesRead = 8

const pipeTroubles: readonly string[] = ['Degraded', 'Failed', 'InternalError']
const serviceTroubles: readonly string[] = ['degraded', 'failed', 'partially_running']

interface Stateful {
  state?: string | null | undefined
}

export const isPipeInTrouble = ({ state }: Stateful): boolean => pipeTroubles.includes(state ?? '')

export const isServiceInTrouble = ({ state }: Stateful): boolean => serviceTroubles.includes(state ?? '')
