import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { testRoot } from '#console/ui/testing/testRoot.ts'
import { record, redo, startHistory, undo, useEditKeys } from './useDraft.ts'

const { render } = testRoot()
const runs = { undo: vi.fn(), redo: vi.fn(), save: vi.fn() }

function Edited({ hasDialog }: { hasDialog: boolean }) {
  useEditKeys(runs)
  return (
    <>
      <input />
      {hasDialog && <div role="dialog" />}
    </>
  )
}

/** The name of what ran, and whether the browser does nothing itself. */
function press(at: string, init: KeyboardEventInit): [string | undefined, boolean] {
  for (const run of Object.values(runs)) run.mockClear()
  const event = new KeyboardEvent('keydown', { ctrlKey: true, bubbles: true, cancelable: true, ...init })
  document.querySelector(at)?.dispatchEvent(event)
  return [Object.entries(runs).find(([, run]) => run.mock.calls.length > 0)?.[0], event.defaultPrevented]
}

test('the keys of a draft undo, redo and save it, and texts keep their own undo', () => {
  render(<Edited hasDialog={false} />)
  expect(press('body', { key: 'z' })).toEqual(['undo', true])
  expect(press('body', { key: 'Z', shiftKey: true })).toEqual(['redo', true])
  expect(press('body', { key: 'y', ctrlKey: false, metaKey: true })).toEqual(['redo', true])
  expect(press('input', { key: 'z' })).toEqual([undefined, false])
  expect(press('input', { key: 's' })).toEqual(['save', true])
})

test('while a dialog is open, nothing is saved, and the browser does not save the page as a file', () => {
  render(<Edited hasDialog />)
  expect(press('body', { key: 's' })).toEqual([undefined, true])
  expect(press('body', { key: 'z' })).toEqual([undefined, false])
})

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
