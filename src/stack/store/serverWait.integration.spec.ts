import { expect, test } from 'vitest'
import { waitForServer } from '#node/database/waitForServer.ts'
import { ownPostgres } from '#node/testing/testPostgres.ts'
import { openServer } from './store.ts'

const postgres = ownPostgres()

test('a start waits for a server that restarts, and says so once', { timeout: 120_000 }, async () => {
  const url = await postgres.createDatabase()
  await postgres.server.stop()
  const said: string[] = []
  const opening = waitForServer(() => openServer(url), { seconds: 100, every: 50, say: (line) => said.push(line) })
  await expect.poll(() => said.length).toBe(1)
  await postgres.server.start()
  const backend = await opening
  expect(await backend.rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
  await backend.close()
  expect(said).toEqual([
    expect.stringMatching(
      /^The PostgreSQL server of DATABASE_URL cannot be reached \(\w+\)\. Waiting up to 100 seconds for it\.$/,
    ),
  ])
})

test('an unknown database is reported at once', async () => {
  const said: string[] = []
  const opening = waitForServer(() => openServer(postgres.server.url('nowhere')), {
    seconds: 100,
    say: (line) => said.push(line),
  })
  await expect(opening).rejects.toThrow('The PostgreSQL server of DATABASE_URL has no such database.')
  expect(said).toEqual([])
})
