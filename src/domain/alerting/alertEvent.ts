/** A notification that the evaluation of an alert asks for. */
import type { Group } from './groupState.ts'

/** An alert, or one group of it, that started to fire or was resolved. */
export interface AlertEvent {
  alertId: string
  /** `ALERT` fires, `OK` is resolved. */
  state: 'ALERT' | 'OK'
  /** Names and values of the group's columns, such as `service:checkout`. Empty for an alert without groups. */
  groupKey: string
  /** The values of the group by column; null for an alert without groups. */
  group: Group | null
  /** The value of the window. */
  value: number
  /** Epoch milliseconds of the window: [start, end). */
  start: number
  end: number
  /**
   * Why it is sent. `repeated`: it is still firing after `renotifyIntervalMinutes`. `silence_ended`: it is still firing, or
   * recovered, at the end of a silence; its window may have been sent before. Absent: `changed`.
   */
  cause?: 'changed' | 'repeated' | 'silence_ended'
  /** How often the clock was set back over windows of the alert: the same times come again. Absent for never. */
  clockSetBack?: number
}
