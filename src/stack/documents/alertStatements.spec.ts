/** The statements of the evaluation of alerts, on both databases. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { keepLease, LeaseLost, releaseLease, takeLease } from '../alerting/lease.ts'
import { openStore, type Store, type StoreTarget } from '../store/store.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { alertCursors, forgetDeletedAlerts, resumeEvaluation, writeCursors } from './alertCursors.ts'
import { crossingsOf, deleteOldEvaluations, evaluationsOf, writeEvaluations } from './alertEvaluations.ts'
import { alertsById } from './alertRows.ts'

const day = 86_400_000
const now = currentTime()

describe.each<{ where: string; target(): Promise<StoreTarget> }>([
  {
    where: 'in a file',
    target: async () => ({ file: join(await mkdtemp(join(tmpdir(), 'alert-statements-')), 'stack.db') }),
  },
  {
    where: 'on a PostgreSQL server',
    target: async () => ({
      url: await newDatabase(),
      dataDir: await mkdtemp(join(tmpdir(), 'alert-statements-')),
    }),
  },
])('$where', ({ target }) => {
  let store: Store
  beforeAll(async () => {
    store = await openStore(await target())
  })
  afterAll(() => store.close())

  test('evaluations: replaced, listed, compared and deleted', async () => {
    const evaluation = (end: number, state: 'OK' | 'ALERT' | 'INSUFFICIENT_DATA', value: number | null) => ({
      alertId: 'a',
      start: end - 1000,
      end,
      state,
      value,
      counts: 0,
      noRows: value === null,
    })
    const all = Array.from({ length: 700 }, (_, at) => evaluation(now - at * 1000, at % 2 ? 'ALERT' : 'OK', at / 3))
    await store.write((transaction) => writeEvaluations(transaction, all))
    await store.write((transaction) =>
      writeEvaluations(transaction, [
        { ...evaluation(now, 'INSUFFICIENT_DATA', null), errors: [{ type: 'UNKNOWN', message: '?' }] },
        evaluation(now - 31 * day, 'ALERT', 1),
      ]),
    )
    const page = await evaluationsOf(store, 'a', { limit: 2 })
    expect(page.items).toMatchObject([
      { state: 'INSUFFICIENT_DATA', lastValues: [], errors: [{ type: 'UNKNOWN' }], noRows: true },
      { state: 'ALERT', lastValues: [{ count: 1 / 3 }], noRows: false },
    ])
    expect(page.nextBefore).toBe(now - 1000)
    const crossings = await crossingsOf(store, 'a', { startTime: now - 3500, endTime: now })
    expect(crossings.map(({ state }) => state)).toEqual(['ALERT', 'OK', 'ALERT'])
    expect(await crossingsOf(store, 'b', {})).toEqual([])
    await store.write((transaction) => deleteOldEvaluations(transaction, now))
    const [row] = await store.rows('SELECT count(*) AS total FROM alert_evaluations')
    expect(Number(row?.['total'])).toBe(700)
  })

  test('cursors of many alerts', async () => {
    const group = { key: '', group: null, state: 'ALERT' as const, streak: 1, start: 0, end: 1, value: 1, rowsAt: 1 }
    const groups = [{ ...group, notified: false, notifiedEnd: null, muted: true }]
    const ids = Array.from({ length: 2500 }, (_, at) => `a${at}`)
    await store.write((transaction) =>
      writeCursors(
        transaction,
        ids.map((alertId, at) => ({
          alertId,
          done: at === 0 ? null : now,
          groups: at === 0 ? groups : [],
          setBacks: 0,
        })),
      ),
    )
    expect(await alertCursors(store)).toEqual(await alertCursors(store, ids))
    expect((await alertCursors(store, ['a0'])).get('a0')).toEqual({ alertId: 'a0', done: null, groups, setBacks: 0 })
    expect(await store.write((transaction) => resumeEvaluation(transaction, { id: 'a0', interval: '5m' }))).toBe(
      'ALERT',
    )
    expect(await alertsById(store, ids)).toEqual(new Map())
    await store.write(forgetDeletedAlerts)
    expect((await alertCursors(store)).size).toBe(0)
  })

  test('the lease', async () => {
    expect(await takeLease(store, 'a', now)).toBe(true)
    expect(await takeLease(store, 'b', now)).toBe(false)
    await store.write((transaction) => keepLease(transaction, 'a', now))
    await expect(store.write((transaction) => keepLease(transaction, 'b', now))).rejects.toBeInstanceOf(LeaseLost)
    await releaseLease(store, 'a')
    expect(await takeLease(store, 'b', now)).toBe(true)
  })
})
