import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { testRoot } from '../testing/testRoot.ts'
import { SearchInput } from './SearchInput.tsx'
import { useDebouncedText } from './useDebouncedText.ts'

const { page, render } = testRoot()

function Searched({ onCommit }: { onCommit: (text: string) => void }) {
  const search = useDebouncedText('', onCommit)
  return <SearchInput label="Search" value={search.text} onChange={search.change} onBlur={search.commit} />
}

const field = () => page().querySelector('input')!

function type(text: string) {
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  act(() => {
    setValue?.call(field(), text)
    field().dispatchEvent(new Event('input', { bubbles: true }))
  })
}

const leave = () => act(() => void field().dispatchEvent(new FocusEvent('focusout', { bubbles: true })))

test('what was typed is committed when the field is left, without a pause', () => {
  const onCommit = vi.fn<(text: string) => void>()
  render(<Searched onCommit={onCommit} />)
  type('stack')
  expect(onCommit).not.toHaveBeenCalled()
  leave()
  expect(onCommit.mock.calls).toEqual([['stack']])
})

test('a field that is left as it was commits nothing', () => {
  const onCommit = vi.fn<(text: string) => void>()
  render(<Searched onCommit={onCommit} />)
  leave()
  expect(onCommit).not.toHaveBeenCalled()
})
