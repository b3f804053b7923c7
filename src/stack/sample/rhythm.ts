/**
 * The load of the shop over time, and the incident of the payment service. All times are milliseconds since 1970,
 * UTC.
 */

const hour = 3_600_000
const day = 24 * hour

/** Requests in a minute of average traffic. */
const requestsPerMinute = 10

/** Visits by hour of the day, relative to the average: few at night, some more at noon, most in the evening. */
const hourly = [
  0.42, 0.3, 0.24, 0.22, 0.24, 0.32, 0.5, 0.72, 0.94, 1.1, 1.2, 1.3, 1.42, 1.32, 1.16, 1.12, 1.18, 1.34, 1.58, 1.82,
  1.88, 1.66, 1.2, 0.82,
]

/** Expected requests per minute at a time: a smooth daily rhythm, and less on weekends. */
export function trafficAt(time: number): number {
  const position = (time % day) / hour
  const from = Math.floor(position)
  const share = position - from
  const level = (hourly[from] ?? 1) * (1 - share) + (hourly[(from + 1) % 24] ?? 1) * share
  const weekday = new Date(time).getUTCDay()
  return requestsPerMinute * level * (weekday === 0 || weekday === 6 ? 0.62 : 1.12)
}

/**
 * Expected requests per minute with an incident, during which traffic is at least average: at night too few people would buy
 * for anybody to notice it.
 */
export const trafficIn = (incident: Incident, time: number): number =>
  troubleAt(time, incident) > 0 ? Math.max(trafficAt(time), requestsPerMinute) : trafficAt(time)

/** The incident: about thirty hours before the sample was started, for forty minutes. */
export interface Incident {
  /** When the payment service got a wrong pool size. */
  start: number
  /** When the setting was reverted. */
  end: number
}

export function incidentOf(anchor: number): Incident {
  const start = anchor - 30 * hour
  return { start, end: start + 40 * 60_000 }
}

/** Milliseconds between the beginnings of two incidents while the sample goes on. */
export const incidentEvery = 4 * hour

/** The last or next incident at a time after the sample was started: twenty minutes, every four hours. */
export function liveIncidentAt(time: number, anchor: number): Incident {
  const start = anchor + Math.floor((time - anchor) / incidentEvery) * incidentEvery + incidentEvery / 2
  return { start, end: start + 20 * 60_000 }
}

/** The severity of the incident at a time: 0 normally, rising to 1 within its first minutes. */
export function troubleAt(time: number, { start, end }: Incident): number {
  return time < start || time >= end ? 0 : Math.min(1, (time - start) / (5 * 60_000))
}
