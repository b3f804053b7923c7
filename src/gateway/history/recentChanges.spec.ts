import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import type { Change } from '#contract/console/history.ts'
import { newest } from './recentChanges.ts'

const change = (at: number): Change => ({
  id: at,
  at: new Date(at).toISOString(),
  kind: 'alerts',
  recordId: 'a',
  name: '',
  action: 'updated',
  cause: 'console',
  outcome: 'done',
})

/** The times of the changes of up to 60 deployments, the newest first. */
const deployments = array(
  array(integer({ min: 0, max: 10_000 }), { maxLength: 12 }).map((times) => times.toSorted((a, b) => b - a)),
  { maxLength: 60 },
)

test('the newest of all are kept, and the last one of each deployment', () => {
  assert(
    property(deployments, integer({ min: 1, max: 50 }), (times, count) => {
      const read = times.map((own, at) => ({ connectionIds: [`c${at}`], changes: own.map(change) }))
      const kept = newest(read, count)
      expect(kept.map(({ connectionIds }) => connectionIds)).toEqual(read.map(({ connectionIds }) => connectionIds))
      const oldest = times.flat().toSorted((a, b) => b - a)[count - 1] ?? 0
      kept.forEach(({ changes }, at) => {
        const own = times[at] ?? []
        // The order stays, so that the first ones are the newest.
        expect(changes.map(({ id }) => id)).toEqual(own.filter((time, place) => place === 0 || time >= oldest))
      })
    }),
  )
})
