/** A start on a slow disk. */
import pino from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { createHttpApp } from './httpApp.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('waits for its parts, however long they take', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const app = createHttpApp(pino({ level: 'silent' }), () => true)
  let loaded = () => {}
  const begun = new Promise<void>((begin) => {
    app.register(async () => {
      begin()
      await new Promise<void>((resolve) => (loaded = resolve))
    })
  })
  const ready = app.ready()
  await begun
  vi.advanceTimersByTime(60_000)
  loaded()
  await expect(ready).resolves.toBe(app)
  await app.close()
})
