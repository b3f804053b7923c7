import { expect, test } from 'vitest'
import { WriteLog } from './writeLog.ts'

test('keeps the newest outcomes, up to a limit', async () => {
  const log = new WriteLog<string>()
  const made: string[] = []
  const write = (name: string) =>
    log.once(name, 'the same', async () => {
      made.push(name)
      return name
    })
  const names = Array.from({ length: 5_000 }, (_, at) => `write ${at}`)
  for (const name of names) await write(name)
  for (const name of names.slice(-1_000)) expect(await write(name)).toBe(name)
  expect(made).toEqual(names)
  await write('write 0')
  expect(made).toHaveLength(names.length + 1)
})
