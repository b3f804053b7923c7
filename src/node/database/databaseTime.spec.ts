import { afterEach, expect, test, vi } from 'vitest'
import { followDatabaseTime } from './databaseTime.ts'

const minute = 60_000

afterEach(() => void vi.useRealTimers())

/** A server whose clock is ahead by so many milliseconds. */
function serverAhead(by: { milliseconds: number }) {
  return async () => [{ now: Math.floor(Date.now() + by.milliseconds) }]
}

test('a clock follows the server, through interruptions of it', async () => {
  vi.useFakeTimers()
  const by = { milliseconds: 10 * minute }
  const followed: number[] = []
  let isDown = false
  const server = serverAhead(by)
  const rows = async () => (isDown ? Promise.reject(new Error('down')) : server())
  const stop = await followDatabaseTime(rows, { follow: (ahead) => void followed.push(Math.round(ahead / 1000)) })
  expect(followed).toEqual([600])
  isDown = true
  await vi.advanceTimersByTimeAsync(3000)
  expect(followed).toEqual([600])
  isDown = false
  by.milliseconds = 0
  await vi.advanceTimersByTimeAsync(2000)
  expect(followed.at(-1)).toBe(0)
  stop()
  followed.splice(0)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(followed).toEqual([])
})

test('a server that does not answer the first reading is a failure', async () => {
  await expect(followDatabaseTime(async () => Promise.reject(new Error('down')), { follow() {} })).rejects.toThrow(
    'down',
  )
})
