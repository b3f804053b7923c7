/** The outbox of notifications about approvals over a restart of the console. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testDatabaseUrl } from '../testing/testDatabase.ts'
import { answerJson, secrets, startTestGateway, startUpstream } from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'notices-'))
const [deployment, receiver] = [await startUpstream(), await startUpstream(answerJson({}, 503))]
afterAll(async () => {
  await Promise.all([deployment.close(), receiver.close()])
  rmSync(dataDir, { recursive: true, force: true })
})

async function start() {
  const prod = { id: 'prod', name: 'Production EU', variant: 'openSource', stage: 'production' } as const
  return startTestGateway(deployment, {
    dataDir,
    databaseUrl: await testDatabaseUrl(dataDir),
    seeds: [{ ...prod, baseUrl: deployment.url, allowPrivate: true, accessKey: secrets.accessKey }],
    tuning: { noticeRetries: Array.from({ length: 20 }, () => 500) },
  })
}

test('a notification that could not be delivered is sent by the next start, with the same key', async () => {
  const first = await start()
  await signInAs(first, { name: 'Jana Novak', role: 'operator' })
  const mira = await signInAs(first, { name: 'Mira Halvorsen', role: 'administrator' })
  const on = { twoPersonApproval: true, notificationUrl: `${receiver.url}/hook`, allowPrivateNotification: true }
  const changed = await mira.call('PUT', '/api/connections/prod/approval', on)
  expect(changed.status, changed.text).toBe(200)
  await expect.poll(() => receiver.hits.length).toBeGreaterThan(0)
  const [refused] = receiver.hits
  await first.close()

  receiver.become(answerJson({}))
  const second = await start()
  await expect.poll(() => receiver.hits.length).toBe(1)
  const [sent] = receiver.hits
  expect([sent?.body, sent?.headers['idempotency-key']]).toEqual([refused?.body, refused?.headers['idempotency-key']])
  expect(sent?.headers['idempotency-key']).toBeTruthy()
  await second.close()
})
