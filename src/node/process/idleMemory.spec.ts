import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { collectGarbageWhenIdle } from './idleMemory.ts'

const heap = () => getHeapStatistics().total_heap_size

/** Leaves about 40 MB of garbage. @returns the size of the heap with it */
function leaveGarbage(): number {
  const records = Array.from({ length: 400_000 }, (_, at) => ({ at, text: `record ${at}` }))
  const size = heap()
  expect(records.length).toBe(400_000)
  return size
}

test('a process that is quiet gives back what its work has left behind', async () => {
  const most = leaveGarbage()
  // Whenever the process is idle: something else of it may still have held a part at the first time.
  const stop = collectGarbageWhenIdle(20, Number.NEGATIVE_INFINITY)
  try {
    await expect.poll(heap).toBeLessThan(most - 16 * 1024 * 1024)
  } finally {
    stop()
  }
})
