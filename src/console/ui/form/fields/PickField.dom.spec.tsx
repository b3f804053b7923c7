import { act } from 'react'
import { useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import { testRoot } from '../../testing/testRoot.ts'
import { PickField } from './PickField.tsx'
import { PickSeveralField } from './PickSeveralField.tsx'

const { page, render } = testRoot()

const options = () => [
  { value: 'a', label: 'Orders' },
  { value: 'b', label: 'Payments' },
]

function One({ listed }: { listed: boolean }) {
  const { control } = useForm({ defaultValues: { field: 'a' } })
  return <PickField control={control} name="field" label="Dashboard" listed={listed} options={options()} />
}

function Several() {
  const { control } = useForm({ defaultValues: { field: ['a'] } })
  return <PickSeveralField control={control} name="field" label="Dashboards" options={options()} />
}

const input = () => page().querySelector('input')!

test.each([
  ['one that is listed', () => <One listed />],
  ['one that may be typed', () => <One listed={false} />],
  ['several', () => <Several />],
])('keeps what is being typed while the options are read again: %s', (_, draw) => {
  render(draw())
  act(() => input().focus())
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input(), 'Pay')
    input().dispatchEvent(new Event('input', { bubbles: true }))
  })
  expect(input().value).toBe('Pay')
  render(draw())
  expect(input().value).toBe('Pay')
  expect([...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Payments/),
  ])
})
