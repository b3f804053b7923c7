/** Receivers of notifications about approvals that lead to servers inside of the network. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { redirectsTo, startPrivateListener, type PrivateListener } from '#node/testing/privateListener.ts'
import { startRebindingDns, type RebindingDns } from '#node/testing/rebindingDns.ts'
import {
  answerText,
  secrets,
  startTestGateway,
  startUpstream,
  type TestGateway,
  type TestUpstream,
} from '../testing/testGateway.ts'
import { signInAs, type SignedIn } from '../testing/testPeople.ts'

const approval = '/api/connections/prod/approval'

let deployment: TestUpstream
let receiver: TestUpstream
let listener: PrivateListener
let dns: RebindingDns
let gateway: TestGateway
let mira: SignedIn
beforeEach(async () => {
  ;[deployment, receiver] = await Promise.all([startUpstream(), startUpstream()])
  listener = await startPrivateListener()
  dns = await startRebindingDns([['93.184.215.14'], ['127.0.0.1']])
  const prod = { id: 'prod', name: 'Production EU', variant: 'openSource', stage: 'production' } as const
  gateway = await startTestGateway(deployment, {
    seeds: [{ ...prod, baseUrl: deployment.url, allowPrivate: true, accessKey: secrets.accessKey }],
    tuning: { resolve: dns.resolve },
  })
  await signInAs(gateway, { name: 'Jana Novak', role: 'operator' })
  mira = await signInAs(gateway, { name: 'Mira Halvorsen', role: 'administrator' })
})
afterEach(async () => {
  await gateway.close()
  await Promise.all([deployment.close(), receiver.close()])
  listener.close()
  dns.close()
})

async function notify(notificationUrl: string, allowPrivateNotification: boolean): Promise<void> {
  const changed = await mira.call('PUT', approval, {
    twoPersonApproval: true,
    notificationUrl,
    allowPrivateNotification,
  })
  expect(changed.status, changed.text).toBe(200)
}

test('a receiver that redirects is not followed, also where private addresses are allowed', async () => {
  await notify(`${receiver.url}/hook`, true)
  for (const { status, location } of redirectsTo(listener.port).filter((_, at) => at % 5 === 0)) {
    receiver.become(answerText('', 'text/plain', status, { location }))
    const reply = await mira.call('POST', `${approval}/test`, {})
    expect(reply.json).toEqual({ ok: false, message: `The receiver answered ${status}.` })
  }
  expect(listener.connections).toBe(0)
})

test('a notification that was redirected has failed, and is not sent again', async () => {
  receiver.become(answerText('', 'text/plain', 307, { location: `http://127.0.0.1:${listener.port}/` }))
  await notify(`${receiver.url}/hook`, true)
  await expect
    .poll(async () => (await mira.call('GET', approval)).json, { timeout: 60_000 })
    .toMatchObject({ deliveries: [{ state: 'failed', attempts: 1, problem: 'The receiver answered 307.' }] })
  expect(receiver.hits).toHaveLength(1)
  expect(listener.connections).toBe(0)
})

test('a receiver whose name turns to a private address is not reached', async () => {
  const at = `http://turns.example:${listener.port}/hook`
  await notify(at, false)
  // The first look-up is the one of the notification that this setting sends.
  await expect.poll(() => dns.questions.length, { timeout: 60_000 }).toBeGreaterThan(0)
  const reply = await mira.call('POST', `${approval}/test`, {})
  const message = 'The address of the receiver is a loopback or private one, which the setting does not allow.'
  expect(reply.json).toEqual({ ok: false, message })
  expect(listener.connections).toBe(0)
})

test('no spelling of this machine is reached', async () => {
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '2130706433', '0177.1', '0']
  for (const host of hosts) {
    await notify(`http://${host}:${listener.port}/hook`, false)
    expect((await mira.call('POST', `${approval}/test`, {})).json, host).toMatchObject({ ok: false })
  }
  expect(listener.connections).toBe(0)
})
