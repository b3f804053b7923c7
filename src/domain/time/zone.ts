/** The time zone of displayed times: that of the browser, or UTC. */
export const zones = ['local', 'utc'] as const
export type Zone = (typeof zones)[number]
