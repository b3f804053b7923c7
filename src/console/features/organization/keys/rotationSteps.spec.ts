import { expect, test } from 'vitest'
import type { ApiKeyRotation } from '#contract/console/apiKeyRotations.ts'
import { shownSteps, rotationStatusText } from './rotationSteps.ts'

const rotation: ApiKeyRotation = {
  id: 'r',
  phase: 'rotate',
  state: 'running',
  done: 1,
  oldKey: { id: 'o', name: 'Old', suffix: 'aaaa' },
  newKey: { id: 'n', name: 'New', suffix: 'bbbb', expireAt: null },
  connections: [
    { id: 'a', name: 'A', uses: 'new' },
    { id: 'b', name: 'B', uses: 'old' },
  ],
  startedAt: '2026-01-01T00:00:00Z',
  actor: 'Ada',
}

const states = (change: Partial<ApiKeyRotation>) => shownSteps({ ...rotation, ...change }).map(({ state }) => state)

test('a step is done, under way, failed or waiting', () => {
  expect(states({})).toEqual(['done', 'running', 'waiting', 'waiting'])
  expect(states({ state: 'failed', done: 0 })).toEqual(['failed', 'waiting', 'waiting', 'waiting'])
  expect(states({ state: 'done', done: 4 })).toEqual(['done', 'done', 'done', 'done'])
  expect(states({ phase: 'finish', state: 'interrupted', done: 0 })).toEqual(['interrupted'])
})

test('what stands names the connections of each key', () => {
  expect(rotationStatusText(rotation)).toBe('A uses the new key, New. B uses the old key, Old.')
  expect(rotationStatusText({ ...rotation, phase: 'undo', endedAt: 'now', connections: [] })).toContain(
    'Old is in use as before',
  )
})
