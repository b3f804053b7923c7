/** Notices when a process stands still. */

export interface Heartbeat {
  /** Milliseconds between two looks. */
  every: number
  /** Looks without a beat in between, after which the process is taken to stand still. */
  missedBeats: number
  /** The same until the first beat. */
  missedAtStart: number
}

export interface HeartbeatWatch {
  /** The process has given a sign of life. */
  beat(): void
  stop(): void
}

/**
 * Calls `onStill` once, after so many looks without a beat. Looks are counted and not time: while the machine sleeps, or
 * both processes are suspended, nobody looks.
 */
export function watchHeartbeat({ every, missedBeats, missedAtStart }: Heartbeat, onStill: () => void): HeartbeatWatch {
  let missed = 0
  let allowed = missedAtStart
  const timer = setInterval(() => {
    missed += 1
    if (missed < allowed) return
    clearInterval(timer)
    onStill()
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
