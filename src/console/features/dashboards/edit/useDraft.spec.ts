import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { record, redo, startHistory, undo } from './useDraft.ts'

test('undoing every step restores the start, redoing every step restores the end', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1 }), { maxLength: 50 }), (values) => {
      const steps = values.reduce(
        (history, value, index) => record(history, `${index}:${value}`),
        startHistory('start'),
      )
      let back = steps
      for (const _ of values) back = undo(back)
      expect(back.present).toBe('start')
      let forth = back
      for (const _ of values) forth = redo(forth)
      expect(forth.present).toBe(steps.present)
      expect(undo(startHistory(1)).present).toBe(1)
    }),
  )
})

test('typing in one field is one step, and another field starts the next', () => {
  let history = startHistory('')
  for (const text of ['a', 'ab', 'abc']) history = record(history, text, 'name')
  history = record(history, 'abc+', 'tags')
  expect(undo(history).present).toBe('abc')
  expect(undo(undo(history)).present).toBe('')
})

test('an edit after an undo drops the undone steps', () => {
  const history = record(undo(record(startHistory(1), 2)), 3)
  expect(redo(history).present).toBe(3)
})
