import { act, useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { testRoot } from '../testing/testRoot.ts'
import { ConditionInput } from './ConditionInput.tsx'
import { NamesInput } from './NamesInput.tsx'

const { page, render } = testRoot()

const input = () => page().querySelector<HTMLInputElement>('input[role=combobox]')!
const options = () => [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)
const active = () =>
  document.getElementById(input().getAttribute('aria-activedescendant') ?? 'none')?.textContent ?? null
const button = (name: string) => page().querySelector<HTMLElement>(`button[aria-label="${name}"]`)!

function type(text: string): void {
  // The setter of the prototype: React replaces that of the element.
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  act(() => {
    input().focus()
    set?.call(input(), text)
    input().setSelectionRange(text.length, text.length)
    input().dispatchEvent(new Event('input', { bubbles: true }))
  })
}

function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  act(() => void document.activeElement?.dispatchEvent(event))
  return event
}

describe('a condition', () => {
  const columns = ['ServiceName:', 'SeverityText:', 'SpanId:']
  const run = vi.fn<(value: string) => void>()
  const leave = vi.fn<() => void>()

  function Condition() {
    const [value, setValue] = useState('')
    const complete = (typed: string, cursor: number) => {
      const start = typed.lastIndexOf(' ', cursor - 1) + 1
      const word = typed.slice(start, cursor)
      return { start, names: word ? columns.filter((column) => column.startsWith(word)) : [] }
    }
    return (
      <ConditionInput
        label="Condition"
        value={value}
        complete={complete}
        onChange={setValue}
        onEnter={() => run(value)}
        onEscape={leave}
      />
    )
  }

  test('completes the word at the cursor with the keyboard', () => {
    render(<Condition />)
    expect(input().getAttribute('aria-expanded')).toBe('false')
    type('level:error Se')
    expect(options()).toEqual(['ServiceName:', 'SeverityText:'])
    expect(input().getAttribute('aria-expanded')).toBe('true')
    expect(document.getElementById(input().getAttribute('aria-controls') ?? '')?.role).toBe('listbox')
    expect(active()).toBeNull()
    press('ArrowDown')
    press('ArrowDown')
    expect(active()).toBe('SeverityText:')
    press('ArrowDown')
    expect(active()).toBe('ServiceName:')
    press('ArrowUp')
    expect(press('Enter').defaultPrevented).toBe(true)
    expect(input().value).toBe('level:error SeverityText:')
    expect(options()).toEqual([])
  })

  test('uses the typed text with Enter, unless an option is active or Ctrl is held', () => {
    run.mockClear()
    render(<Condition />)
    type('S')
    press('Enter', { ctrlKey: true })
    expect(run).not.toHaveBeenCalled()
    expect(press('Enter').defaultPrevented).toBe(false)
    expect(run.mock.calls).toEqual([['S']])
    expect(options()).toEqual([])
  })

  test('Escape closes the list, and then leaves', () => {
    leave.mockClear()
    render(<Condition />)
    type('S')
    press('Escape')
    expect(leave).not.toHaveBeenCalled()
    press('Escape')
    expect(leave).toHaveBeenCalledOnce()
  })

  test('Escape closes the list alone, and a click on an option completes', () => {
    render(<Condition />)
    const outside = vi.fn<() => void>()
    document.addEventListener('keydown', outside)
    type('S')
    press('Escape')
    expect(options()).toEqual([])
    expect(outside).not.toHaveBeenCalled()
    document.removeEventListener('keydown', outside)
    type('Sp')
    act(() => document.querySelector<HTMLElement>('[role=option]')?.click())
    expect(input().value).toBe('SpanId:')
  })
})

describe('names', () => {
  const changed = vi.fn<(names: string[]) => void>()

  function Names({ several = false }: { several?: boolean }) {
    const [names, setNames] = useState(['ServiceName', 'SpanName'])
    const change = (next: string[]) => {
      changed(next)
      setNames(next)
    }
    const all = ['ServiceName', 'SeverityText', 'SpanName']
    return (
      <NamesInput
        label="Group by"
        names={names}
        suggestions={all}
        onChange={change}
        placeholder="None"
        several={several}
        maxShown={several ? 1 : 9}
      />
    )
  }
  const last = () => changed.mock.lastCall?.[0]

  test('adds an option or what was typed, each name once', () => {
    render(<Names />)
    act(() => input().click())
    expect(options()).toEqual(['SeverityText'])
    press('Escape')
    type(' Body ')
    expect(press('Enter').defaultPrevented).toBe(true)
    expect(last()).toEqual(['ServiceName', 'SpanName', 'Body'])
    expect(input().value).toBe('')
    type('Body')
    press('Enter')
    expect(last()).toEqual(['ServiceName', 'SpanName', 'Body'])
  })

  test('removes names by button, Backspace and the arrow keys', () => {
    render(<Names />)
    act(() => button('Remove ServiceName').click())
    expect(last()).toEqual(['SpanName'])
    expect(document.activeElement).toBe(input())
    press('ArrowLeft')
    expect(document.activeElement).toBe(button('Remove SpanName'))
    press('ArrowRight')
    press('Backspace')
    expect(last()).toEqual([])
  })

  test('stays open to choose several, and shows the chosen ones', () => {
    render(<Names several />)
    expect(page().textContent).toContain('+1')
    act(() => input().focus())
    expect(page().textContent).not.toContain('+1')
    act(() => input().click())
    const chosen = () =>
      [...document.querySelectorAll('[role=option][aria-selected=true]')].map(({ textContent }) => textContent)
    expect(chosen()).toEqual(['ServiceName', 'SpanName'])
    act(() => document.querySelectorAll<HTMLElement>('[role=option]')[1]?.click())
    expect(chosen()).toEqual(['ServiceName', 'SeverityText', 'SpanName'])
    press('ArrowDown')
    press('Enter')
    expect(last()).toEqual(['SpanName', 'SeverityText'])
  })
})

test('lists the first of very many suggestions, and says how to find the others', () => {
  const all = Array.from({ length: 100_000 }, (_, number) => `user-${number}`)
  const chosen = vi.fn<(names: string[]) => void>()
  render(<NamesInput label="Users" names={[]} suggestions={all} onChange={chosen} placeholder="All" several />)
  act(() => input().click())
  expect(options()).toHaveLength(201)
  expect(options().at(-1)).toBe('The first 200 of 100,000. Type to find others.')
  act(() => document.querySelectorAll<HTMLElement>('[role=option]')[200]?.click())
  expect(chosen).not.toHaveBeenCalled()
  type('99999')
  expect(options()).toEqual(['user-99999'])
})
