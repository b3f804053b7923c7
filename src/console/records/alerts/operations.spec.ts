/** Silences while somebody else changes the same alert. */
import { afterEach, expect, test, vi } from 'vitest'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import { silenceAlert, unsilenceAlert } from './operations.ts'

const until = '2999-01-01T00:00:00.000Z'
const later = '2999-01-02T00:00:00.000Z'
const silence = (group: string, end = until) => ({ group, until: end })
const alertWith = (...silencedGroups: object[]) => alertOnTile({ id: 'a1', silencedGroups })

afterEach(() => vi.restoreAllMocks())

/** A gateway whose record is another one than what the first write starts from. @returns the methods of the writes */
function gatewayWith(now: Alert): string[] {
  const written: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, { method = 'GET' } = {}) => {
    if (method === 'GET') return Response.json({ result: [] })
    written.push(method)
    if (written.length > 1) return Response.json({ result: now })
    const current = { result: now, revision: 'r2' }
    return Response.json(
      { status: 409, code: 'conflict', message: 'Somebody else changed it.', current },
      { status: 409 },
    )
  })
  return written
}

const shown = alertWith(silence('service:a'))

test.each<[string, string[], Alert]>([
  ['of another group is left as it is', ['POST', 'POST'], alertWith(silence('service:a'), silence('service:b'))],
  ['of the same group is not replaced unseen', ['POST'], alertWith(silence('service:a', later))],
  ['of the same group that was ended is not set again unseen', ['POST'], alertWith()],
])('a silence that somebody else set meanwhile %s', async (_, writes, now) => {
  const written = gatewayWith(now)
  const answer = silenceAlert('c1', shown, { mutedUntil: later, group: 'service:a' }).catch(({ code }) => code)
  expect(await answer).toEqual(writes.length > 1 ? now : 'conflict')
  expect(written).toEqual(writes)
})

test('a silence that somebody else prolonged is not ended unseen', async () => {
  const written = gatewayWith(alertWith(silence('service:a', later)))
  await expect(unsilenceAlert('c1', shown, 'service:a')).rejects.toMatchObject({ code: 'conflict' })
  expect(written).toEqual(['DELETE'])
})
