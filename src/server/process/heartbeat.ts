/** Detects a process that no longer responds. */

export interface Heartbeat {
  /** Milliseconds between two checks. */
  every: number
  /** Checks without a beat after which the process counts as unresponsive. */
  missedBeats: number
  /** Checks before the first beat after which the process counts as unresponsive. */
  missedAtStart: number
}

export interface HeartbeatWatch {
  /** Call this for each beat of the process. */
  beat(): void
  stop(): void
}

/**
 * Calls `onUnresponsive` once, after that many checks without a beat. Checks are counted and not time, because there are
 * none while the machine sleeps or both processes are suspended.
 */
export function watchHeartbeat(
  { every, missedBeats, missedAtStart }: Heartbeat,
  onUnresponsive: () => void,
): HeartbeatWatch {
  let missed = 0
  let allowed = missedAtStart
  const timer = setInterval(() => {
    missed += 1
    if (missed < allowed) return
    clearInterval(timer)
    onUnresponsive()
  }, every)
  timer.unref()
  return {
    beat() {
      missed = 0
      allowed = missedBeats
    },
    stop: () => clearInterval(timer),
  }
}
