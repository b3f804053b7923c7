import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { collectGarbageWhenIdle } from './idleMemory.ts'

const heap = () => getHeapStatistics().total_heap_size

test('a process that is quiet gives back what its work has left behind', async () => {
  let kept: unknown[] | null = Array.from({ length: 400_000 }, (_, at) => ({ at, text: `record ${at}` }))
  const most = heap()
  expect(kept).toHaveLength(400_000)
  kept = null
  const stop = collectGarbageWhenIdle(20, 1)
  try {
    await expect.poll(heap).toBeLessThan(most - 16 * 1024 * 1024)
  } finally {
    stop()
  }
})
