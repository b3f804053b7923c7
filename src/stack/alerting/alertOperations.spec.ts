/** Evaluations, silences and pauses of alerts, on both variants. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { alerts } from '#contract/stack/alerts.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { writeCursors } from '../documents/alertCursors.ts'
import { alertRows } from '../documents/alertRows.ts'
import { writeEvaluations, type StoredEvaluation } from '../documents/alertEvaluations.ts'
import { writeLastPass } from '../documents/alertPasses.ts'
import { createDashboard, tileAlert } from '../testing/sampleInputs.ts'
import { startTestStack, type Answer, type TestStack } from '../testing/testStack.ts'

let stack: TestStack
let id: string
const oid = 'a'.repeat(24)
const minute = 60_000
const start = Math.floor(currentTime() / minute) * minute - 60 * minute
const later = () => new Date(currentTime() + 3_600_000).toISOString()

beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())
beforeEach(async () => {
  id = (await stack.openSource('POST', '/alerts', tileAlert(stack, await createDashboard(stack)))).json.data.id
})

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>
const callOf = (variant: string): Call => (variant === 'managed' ? stack.managed : stack.openSource)
/** Evaluations are in the envelope, `hasMore` and `nextBefore` beside them. */
const pageOf = (
  variant: string,
  { json: { data, result, status: _status, requestId: _requestId, ...beside } }: Answer,
) => ({
  items: variant === 'managed' ? result : data,
  ...beside,
})
const resultOf = (variant: string, { json }: Answer) => (variant === 'managed' ? json.result : json.data)

/** Windows of one minute with these states. */
function plant(states: readonly StoredEvaluation['state'][], changes: Partial<StoredEvaluation> = {}) {
  const evaluations = states.map((state, at): StoredEvaluation => ({
    alertId: id,
    start: start + at * minute,
    end: start + (at + 1) * minute,
    state,
    counts: state === 'ALERT' ? 1 : 0,
    value: at,
    noRows: false,
    ...changes,
  }))
  return stack.store.write((transaction) => writeEvaluations(transaction, evaluations))
}

describe.each(['open source', 'managed'])('on the %s variant', (variant) => {
  const call: Call = (...args) => callOf(variant)(...args)
  const result = (answer: Answer) => resultOf(variant, answer)
  const page = (answer: Answer) => pageOf(variant, answer)

  test('whether alerts are evaluated late', async () => {
    const status = async () => alerts.evaluationStatus.result.parse(result(await call('GET', '/alert-evaluation')))
    await stack.store.run('DELETE FROM alert_passes')
    expect(await status()).toEqual({ lastPassAt: null, late: false })
    const due = currentTime() - 2 * minute
    await writeLastPass(stack.store, { due, ended: due + 6000 })
    expect(await status()).toEqual({ lastPassAt: new Date(due + 6000).toISOString(), late: false })
    await writeLastPass(stack.store, { due, ended: due + 90_000 })
    expect(await status()).toEqual({ lastPassAt: new Date(due + 90_000).toISOString(), late: true })
  })

  test('evaluations, newest first, in pages', async () => {
    await plant(['OK', 'ALERT', 'PENDING'])
    const first = await call('GET', `/alerts/${id}/evaluations?limit=2`)
    expect(first.status).toBe(200)
    expect(alerts.evaluations.result.parse(page(first))).toEqual(page(first))
    expect(page(first)).toEqual({
      items: [
        {
          createdAt: new Date(start + 3 * minute).toISOString(),
          state: 'PENDING',
          counts: 0,
          lastValues: [{ startTime: new Date(start + 2 * minute).toISOString(), count: 2 }],
          noRows: false,
        },
        expect.objectContaining({ state: 'ALERT' }),
      ],
      hasMore: true,
      nextBefore: start + 2 * minute,
    })
    const next = await call('GET', `/alerts/${id}/evaluations?limit=2&before=${page(first).nextBefore}`)
    expect(page(next)).toEqual({ items: [expect.objectContaining({ state: 'OK' })], hasMore: false })
    const range = `startTime=${start + 1.5 * minute}&endTime=${start + 2.5 * minute}`
    expect(page(await call('GET', `/alerts/${id}/evaluations?${range}`)).items).toHaveLength(1)
  })

  test('evaluations with groups and errors', async () => {
    const groups = [{ key: 'service:a', group: { service: 'a' }, state: 'ALERT' as const, value: 7, noRows: false }]
    await plant(['ALERT'], { groups, groupsTotal: 61, silenced: true })
    await plant(['OK', 'INSUFFICIENT_DATA'], { errors: [{ type: 'QUERY_ERROR', message: 'm' }], value: null })
    const { items } = page(await call('GET', `/alerts/${id}/evaluations`))
    expect(items[0]).toMatchObject({ errors: [{ type: 'QUERY_ERROR', message: 'm' }], lastValues: [] })
    await plant(['ALERT'], { groups, groupsTotal: 61, silenced: true })
    expect(page(await call('GET', `/alerts/${id}/evaluations?limit=200`)).items[1]).toMatchObject({
      groups: [{ group: 'service:a', state: 'ALERT', counts: 1, lastValue: 7, fired: true, noRows: false }],
      groupsTotal: 61,
      silenced: true,
    })
  })

  test('history: when it began and ceased to fire', async () => {
    await plant(['OK', 'ALERT', 'INSUFFICIENT_DATA', 'ALERT', 'PENDING', 'OK', 'ALERT'])
    const crossing = (at: number, state: string) => ({
      createdAt: new Date(start + at * minute).toISOString(),
      state,
      bucketStart: new Date(start + (at - 1) * minute).toISOString(),
    })
    const all = [crossing(2, 'ALERT'), crossing(5, 'OK'), crossing(7, 'ALERT')]
    expect(result(await call('GET', `/alerts/${id}/history`))).toEqual(all)
    const from = start + 3.5 * minute
    const pinned = new Date(from).toISOString()
    expect(result(await call('GET', `/alerts/${id}/history?startTime=${from}&endTime=${start + 5 * minute}`))).toEqual([
      { createdAt: pinned, state: 'ALERT', bucketStart: pinned },
      crossing(5, 'OK'),
    ])
  })

  test('an acknowledgement of a firing alert, which a save keeps and a pause ends', async () => {
    const path = `/alerts/${id}/acknowledged`
    expect(await call('POST', path, { note: 'On it' })).toMatchObject({ status: 409 })
    const fire = async () => {
      const alert = await alertRows.get(stack.store, id)
      if (alert) await stack.store.write((transaction) => alertRows.update(transaction, { ...alert, state: 'ALERT' }))
    }
    await fire()
    const acknowledged = result(await call('POST', path, { note: ' On it ', by: 'Ada' }))
    expect(acknowledged).toMatchObject({ id, acknowledged: { at: expect.any(String), by: 'Ada', note: 'On it' } })
    expect(result(await call('POST', path, {})).acknowledged).toEqual({ at: expect.any(String) })
    const saved = await call('PUT', `/alerts/${id}`, tileAlert(stack, await createDashboard(stack)))
    expect(result(saved)).toHaveProperty('acknowledged')
    expect(result(await call('DELETE', path))).not.toHaveProperty('acknowledged')
    await call('POST', path, {})
    expect(result(await call('POST', `/alerts/${id}/paused`, {}))).not.toHaveProperty('acknowledged')
    expect((await call('POST', path, { note: 'x'.repeat(600) })).status).toBe(400)
  })

  test('silences of the alert and of groups', async () => {
    const until = later()
    const path = `/alerts/${id}/silenced`
    const silenced = await call('POST', path, { mutedUntil: until, reason: ' Deployment ' })
    expect(result(silenced)).toMatchObject({ id, silenced: { until, reason: 'Deployment', at: expect.any(String) } })
    const group = { mutedUntil: until, group: 'service:a' }
    expect(result(await call('POST', path, group)).silencedGroups).toMatchObject([{ until, group: 'service:a' }])
    expect(result(await call('POST', path, group)).silencedGroups).toHaveLength(1)
    // A save keeps them, and they are no change of the record.
    const saved = await call('PUT', `/alerts/${id}`, tileAlert(stack, await createDashboard(stack)))
    expect(result(saved)).toMatchObject({ silenced: { until }, silencedGroups: [{ until }] })
    expect(result(await call('DELETE', `${path}?group=service:a`))).toMatchObject({ silenced: { until } })
    const ended = result(await call('DELETE', path))
    expect(ended).not.toHaveProperty('silenced')
    expect(ended).not.toHaveProperty('silencedGroups')
    expect(ended.updatedAt).toBe(result(saved).updatedAt)
  })

  test('at most 100 silenced groups, of which each can be silenced again', async () => {
    const until = later()
    const silencedGroups = Array.from({ length: 99 }, (_, at) => ({ at: until, until, group: `service:${at}` }))
    const alert = await alertRows.get(stack.store, id)
    if (alert) await stack.store.write((transaction) => alertRows.update(transaction, { ...alert, silencedGroups }))
    const silence = (group: string) => call('POST', `/alerts/${id}/silenced`, { mutedUntil: until, group })
    expect(result(await silence('service:99')).silencedGroups).toHaveLength(100)
    const refused = await silence('service:100')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('At most 100 groups can be silenced')
    expect(result(await silence('service:7')).silencedGroups).toHaveLength(100)
  })

  test('maintenance windows', async () => {
    const recurring = { weekdays: [0, 6], startUtc: '22:30', minutes: 90 }
    const answer = await call('POST', `/alerts/${id}/silenced`, { mutedUntil: later(), recurring })
    expect(result(answer).silenced).toMatchObject({ recurring })
  })

  test('maintenance windows by the clock of a time zone', async () => {
    const recurring = inZone('Europe/Berlin')
    const answer = await call('POST', `/alerts/${id}/silenced`, { mutedUntil: later(), recurring })
    expect(result(answer).silenced).toMatchObject({ recurring })
  })

  test('pause and resume', async () => {
    const path = `/alerts/${id}/paused`
    expect(result(await call('POST', path, { reason: 'noisy' }))).toMatchObject({
      state: 'DISABLED',
      paused: { reason: 'noisy', at: expect.any(String) },
    })
    const resumed = result(await call('DELETE', path))
    expect(resumed).toMatchObject({ state: 'OK' })
    expect(resumed).not.toHaveProperty('paused')
  })

  test.each([
    ['POST', 'silenced', {}],
    ['POST', 'silenced', { mutedUntil: '2020-01-01T00:00:00Z' }],
    ['POST', 'silenced', { mutedUntil: 'tomorrow' }],
    [
      'POST',
      'silenced',
      { mutedUntil: '2099-01-01T00:00:00Z', recurring: { weekdays: [7], startUtc: '22:00', minutes: 1 } },
    ],
    ['POST', 'silenced', { mutedUntil: '2099-01-01T00:00:00Z', recurring: inZone('+02:00') }],
    ['POST', 'silenced', { mutedUntil: '2099-01-01T00:00:00Z', recurring: inZone('Europe/Nowhere') }],
    [
      'POST',
      'silenced',
      { mutedUntil: '2099-01-01T00:00:00Z', recurring: { weekdays: [1], startUtc: '24:00', minutes: 1 } },
    ],
    ['POST', 'silenced', { mutedUntil: '2099-01-01T00:00:00+01:00' }],
    ['GET', 'evaluations?limit=201', undefined],
    ['GET', 'evaluations?startTime=2&endTime=1', undefined],
    ['GET', 'history?startTime=x', undefined],
  ])('refuses %s %s %j', async (method, path, body) => {
    expect((await call(method, `/alerts/${id}/${path}`, body)).status).toBe(400)
  })

  test.each([
    ['GET', 'evaluations'],
    ['GET', 'history'],
    ['POST', 'silenced'],
    ['DELETE', 'silenced'],
    ['POST', 'paused'],
    ['DELETE', 'paused'],
  ])('%s %s of an alert that does not exist', async (method, path) => {
    const body = path === 'silenced' ? { mutedUntil: later() } : {}
    const answer = await call(method, `/alerts/${oid}/${path}`, method === 'POST' ? body : undefined)
    expect(answer.status).toBe(404)
  })
})

test('a resumed alert keeps its firing groups and continues with the newest window', async () => {
  const firing = { key: '', group: null, streak: 1, start, end: start + minute, value: 7, rowsAt: start + minute }
  const group = { ...firing, state: 'ALERT' as const, notified: true, notifiedEnd: firing.end, muted: false }
  await stack.store.write((transaction) =>
    writeCursors(transaction, [{ alertId: id, done: start, groups: [group], setBacks: 0 }]),
  )
  await stack.openSource('POST', `/alerts/${id}/paused`, {})
  expect((await stack.openSource('DELETE', `/alerts/${id}/paused`)).json.data.state).toBe('ALERT')
  const [row] = await stack.store.rows('SELECT done FROM alert_cursors WHERE alert_id = ?', [id])
  expect(row?.['done']).toBeNull()
})

test('a resumed alert does not evaluate its newest window twice', async () => {
  // The window that is open now: nothing is due before the next one has ended.
  const done = (Math.floor(currentTime() / minute) + 60) * minute
  await stack.store.write((transaction) => writeCursors(transaction, [{ alertId: id, done, groups: [], setBacks: 0 }]))
  await stack.openSource('POST', `/alerts/${id}/paused`, {})
  await stack.openSource('DELETE', `/alerts/${id}/paused`)
  const [row] = await stack.store.rows('SELECT done FROM alert_cursors WHERE alert_id = ?', [id])
  expect(Number(row?.['done'])).toBe(done)
})

test('renotifyIntervalMinutes is kept by a save without it', async () => {
  const dashboard = await createDashboard(stack)
  const put = (changes: object) => stack.openSource('PUT', `/alerts/${id}`, tileAlert(stack, dashboard, changes))
  expect((await put({ renotifyIntervalMinutes: 30 })).json.data.renotifyIntervalMinutes).toBe(30)
  expect((await put({})).json.data.renotifyIntervalMinutes).toBe(30)
  expect((await put({ renotifyIntervalMinutes: null })).json.data.renotifyIntervalMinutes).toBeNull()
  expect((await put({ renotifyIntervalMinutes: -1 })).status).toBe(400)
})

function inZone(timeZone: string) {
  return { weekdays: [0, 6], start: '22:30', timeZone, minutes: 90 }
}
