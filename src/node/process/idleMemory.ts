/**
 * Releases memory while a process is idle. The runtime collects garbage when the heap has to grow, so an idle process would
 * keep the garbage of its last work, tens of megabytes, until it works again.
 */
import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds between two checks. */
const usualInterval = 60_000
/** A process that works less than this share of the time is idle. */
const idleShare = 0.05
/** Bytes by which the heap has grown that make a collection worth its 50 to 100 ms. */
const worthwhile = 16 * 1024 * 1024

/**
 * Collects garbage whenever the process is idle and its heap has grown since the last collection.
 * @returns stops this
 */
export function collectGarbageWhenIdle(interval = usualInterval, grown = worthwhile): () => void {
  let last = performance.eventLoopUtilization()
  let sizeAfterLast = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    if (utilization > idleShare || getHeapStatistics().total_heap_size - sizeAfterLast < grown) return
    collectGarbage()
    sizeAfterLast = getHeapStatistics().total_heap_size
  }, interval)
  timer.unref()
  return () => clearInterval(timer)
}

let collector: (() => void) | undefined

function collectGarbage(): void {
  if (!collector) {
    // The only way to it without a flag of the command line.
    setFlagsFromString('--expose-gc')
    const exposed: unknown = runInNewContext('gc')
    setFlagsFromString('--no-expose-gc')
    collector = typeof exposed === 'function' ? () => void exposed() : () => {}
  }
  collector()
}
