/**
 * Gives memory back while a process has nothing to do. The runtime looks for garbage when the heap has to grow, so a process that
 * becomes quiet keeps what its last work has left behind, tens of megabytes, for as long as it is quiet.
 */
import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds between two looks. */
const usualInterval = 60_000
/** The share of the time below which the process has nothing to do. */
const idleShare = 0.05
/** Bytes by which the heap has grown that make a collection worth its 50 to 100 ms. */
const worthwhile = 16 * 1024 * 1024

/** Looks regularly whether the process has nothing to do and more memory than after the last time. @returns ends it */
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
