import { expect, test, vi } from 'vitest'
import { testRoot } from '#console/ui/testing/testRoot.ts'
import { useRunKey } from './Explorer.tsx'

function PageOfQuery({ run }: { run: () => void }) {
  useRunKey(run)
  return (
    <>
      <input aria-label="field" />
      <button type="button">Chart</button>
      <form>
        <input aria-label="of a form" />
      </form>
      <div role="dialog">
        <input aria-label="of a dialog" />
      </div>
    </>
  )
}

const { render } = testRoot()

test('Ctrl with Enter runs the query from anywhere but a form or a dialog', () => {
  const run = vi.fn()
  render(<PageOfQuery run={run} />)
  const press = (at: string, more: KeyboardEventInit = { ctrlKey: true }) => {
    run.mockClear()
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...more })
    document.querySelector(at)?.dispatchEvent(event)
    return { runs: run.mock.calls.length, isTaken: event.defaultPrevented }
  }
  const taken = { runs: 1, isTaken: true }
  const left = { runs: 0, isTaken: false }
  expect(press('body')).toEqual(taken)
  expect(press('button')).toEqual(taken)
  expect(press('[aria-label="field"]', { metaKey: true })).toEqual(taken)
  expect(press('button', {})).toEqual(left)
  expect(press('[aria-label="of a form"]')).toEqual(left)
  expect(press('[aria-label="of a dialog"]')).toEqual(left)
  render(null)
  expect(press('body')).toEqual(left)
})
