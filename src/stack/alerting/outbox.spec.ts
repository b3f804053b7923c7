import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AlertEvent } from '#domain/alerting/alertEvent.ts'
import { newAlert, type AlertDocument } from '../documents/alertDocument.ts'
import { openStore, type Store } from '../store/store.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { deliveryRows } from './deliveryRows.ts'
import { claim, closeEntry, enqueue, postpone, releaseClaims, type ClaimLimits } from './outbox.ts'

const [first, second] = ['a'.repeat(24), 'b'.repeat(24)]

describe.each(['file', 'postgres'] as const)('outbox in %s', (kind) => {
  let dataDir: string
  let store: Store
  let other: Store
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'outbox-'))
    const target = kind === 'file' ? { file: join(dataDir, 'stack.db') } : { url: await newDatabase(), dataDir }
    store = await openStore(target)
    // Only a database may have several stacks.
    other = kind === 'file' ? store : await openStore(target)
  })
  afterAll(async () => {
    await store.close()
    if (other !== store) await other.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const alert = (): AlertDocument =>
    newAlert(
      {
        source: 'tile',
        dashboardId: 'd',
        tileId: 't',
        interval: '1m',
        threshold: 1,
        thresholdType: 'above',
        channels: [first, second].map((webhookId) => ({ type: 'webhook' as const, webhookId })),
      },
      'team',
    )
  const events = (alertDocument: AlertDocument, count: number, state: 'ALERT' | 'OK' = 'ALERT') =>
    Array.from({ length: count }, (_, at) => ({
      alertId: alertDocument.id,
      state,
      groupKey: `g:${at}`,
      group: { g: String(at) },
      value: 2,
      start: 0,
      end: 60_000,
    }))
  const put = (
    alertDocument: AlertDocument,
    count: number,
    state?: 'ALERT' | 'OK',
    more: Pick<AlertEvent, 'cause'> = {},
  ) =>
    store.write((transaction) =>
      enqueue(
        transaction,
        alertDocument,
        events(alertDocument, count, state).map((event) => ({ ...event, ...more })),
        1000,
      ),
    )
  const take = async (from: Store, limits: Partial<ClaimLimits> = {}) => (await claimFrom(from, limits)).entries
  const claimFrom = (from: Store, limits: Partial<ClaimLimits> = {}) =>
    from.write((transaction) =>
      claim(transaction, {
        now: 2000,
        until: 9000,
        count: 10,
        perWebhook: 10,
        webhooks: { except: [] },
        ...limits,
      }),
    )

  test('gives each entry to one stack, until its time is over', async () => {
    const one = alert()
    await put(one, 2)
    await put(one, 2)
    const [mine, theirs] = await Promise.all([take(store, { count: 3 }), take(other)])
    // The first one takes up to its count, the other one the rest.
    const taken = [...mine, ...theirs].toSorted((a, b) => a.event.groupKey.localeCompare(b.event.groupKey))
    expect(taken).toHaveLength(4)
    expect(new Set(taken.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4)
    expect(taken[0]).toMatchObject({ alert: one, event: events(one, 1)[0], attempts: 0, createdAt: 1000 })
    expect(await take(other, { now: 8999 })).toEqual([])
    expect(await take(other, { now: 9000, until: 9001 })).toHaveLength(4)
    await releaseClaims(store)
    expect(await take(store)).toHaveLength(4)
    await store.write(async (transaction) => {
      for (const entry of taken.slice(1)) await closeEntry(transaction, entry)
      await postpone(transaction, taken[0]!, { attempts: 1, dueAt: 5000 })
    })
    expect(await take(store, { now: 4999 })).toEqual([])
    const [again] = await take(store, { now: 5000 })
    expect(again).toEqual({ ...taken[0], attempts: 1 })
    await store.write((transaction) => closeEntry(transaction, taken[0]!))
  })

  test('gives entries of some webhooks only, and the end of a group after its firing', async () => {
    const one = alert()
    await put(one, 2)
    await put(one, 2, 'OK')
    expect(await take(store, { webhooks: { only: [] } })).toEqual([])
    const only = await take(store, { webhooks: { only: [first] } })
    expect(only.map(({ target, event }) => [target?.webhookId, event.state])).toEqual([
      [first, 'ALERT'],
      [first, 'ALERT'],
    ])
    expect(await take(store, { webhooks: { except: [first] }, perWebhook: 1 })).toMatchObject([
      { target: { webhookId: second }, event: { state: 'ALERT', groupKey: 'g:0' } },
    ])
    expect(await deliveryRows.openGroups(store, one.id)).toEqual(new Set())
    const all = await deliveryRows.ofAlert(store, one.id, { limit: 3 })
    expect(all).toMatchObject([{ state: 'OK' }, { state: 'OK' }, { state: 'OK' }])
    const older = await deliveryRows.ofAlert(store, one.id, { limit: 10, before: all[2]?.id })
    expect(older).toHaveLength(5)
    await store.run('DELETE FROM alert_outbox')
  })

  test('has one entry for each webhook for many groups', async () => {
    const one = alert()
    await put(one, 21)
    const taken = await take(store, { count: 100 })
    expect(taken.map(({ event }) => event.groups?.length)).toEqual([21, 21])
    await put(one, 21, 'OK')
    expect(await store.rows('SELECT * FROM alert_summaries')).toEqual([])
    await deliveryRows.removeOld(store, 31 * 86_400_000)
    expect(await deliveryRows.ofAlert(store, one.id, { limit: 10 })).toEqual([])
  })

  test('takes all others beside entries that are damaged, whatever is damaged of them', async () => {
    const one = alert()
    const isSound = (text: string) => JSON.stringify(one) === text
    const damagedText = fc.oneof(
      fc.constantFrom('', 'null', '[]', '{}', '{"id":1}', '"text"', '{"id":"', '\u0001'),
      fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
      fc.nat(JSON.stringify(one).length - 1).map((length) => JSON.stringify(one).slice(0, length)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('alert', 'event'),
        damagedText.filter((text) => !isSound(text)),
        fc.nat(3),
        async (column, text, at) => {
          await store.run('DELETE FROM alert_outbox')
          await store.run('DELETE FROM alert_deliveries')
          await put(one, 2)
          const keys = (await store.rows('SELECT idempotency_key FROM alert_outbox ORDER BY seq')).map((row) =>
            String(row['idempotency_key']),
          )
          await store.run(`UPDATE alert_outbox SET ${column} = ? WHERE idempotency_key = ?`, [text, keys[at] ?? ''])
          const { entries, damaged } = await claimFrom(store)
          expect(entries.map(({ idempotencyKey }) => idempotencyKey)).toEqual(keys.filter((_, index) => index !== at))
          expect(damaged).toMatchObject([{ idempotencyKey: keys[at], alertId: one.id, damage: { id: keys[at] } }])
        },
      ),
      { numRuns: 30 },
    )
    await store.run('DELETE FROM alert_outbox')
  })

  test('has a summary for the end of a silence although the same window was sent before', async () => {
    const one = alert()
    await put(one, 21)
    await put(one, 21, 'ALERT', { cause: 'silence_ended' })
    expect(await deliveryRows.ofAlert(store, one.id, { limit: 10 })).toHaveLength(4)
    await store.run('DELETE FROM alert_outbox')
  })
})
