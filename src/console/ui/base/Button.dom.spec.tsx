import { expect, test } from 'vitest'
import { testRoot } from '../testing/testRoot.ts'
import { Button } from './Button.tsx'

const { page, render } = testRoot()

test('a button whose action is under way keeps the focus, and neither acts nor submits', () => {
  const done: string[] = []
  const draw = (loading: boolean) =>
    render(
      <form
        onSubmit={(event) => {
          event.preventDefault()
          done.push('submitted')
        }}
      >
        <Button type="submit" loading={loading} onClick={() => done.push('pressed')}>
          Save
        </Button>
      </form>,
    )
  draw(false)
  const button = page().querySelector('button')!
  button.focus()
  button.click()
  draw(true)
  button.click()

  expect(done).toEqual(['pressed', 'submitted'])
  // The browser takes the focus from a disabled button, and the keys of its dialog with it.
  expect(button.disabled).toBe(false)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(button)
})
