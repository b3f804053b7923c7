import { act } from 'react'
import { expect, test } from 'vitest'
import { testRoot } from '#console/ui/testing/testRoot.ts'
import { ConnectionLine } from './StageChip.tsx'
import { useTypedConfirmation } from './useTypedConfirmation.tsx'

const { page, render } = testRoot()

function Question({ name }: { name: string }) {
  const { field, reason } = useTypedConfirmation(name)
  return (
    <>
      <ConnectionLine connection={{ name, stage: 'production' }} />
      {field}
      <output>{reason ?? 'confirmed'}</output>
    </>
  )
}

/** Changes the field as a person does: React listens to the setter of the element. */
function type(value: string): void {
  const field = page().querySelector('input')!
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

const textOf = (selector: string) => page().querySelector(selector)?.textContent

test.each([
  ['Shop', 'Shop'],
  ['Sh\u200bop \u202eue', String.raw`Sh\u{200b}op \u{202e}ue`],
  ['Shop\u00a0EU', String.raw`Shop\u{a0}EU`],
])('the name %j is confirmed as it is shown, or pasted as it is', (name, shown) => {
  render(<Question name={name} />)
  expect(textOf('[role=note]')).toBe(`${shown}Production`)
  expect(textOf('label')).toBe(`Type ${shown} to confirm`)
  for (const value of [shown, name, ` ${shown} `]) {
    type('Sho')
    expect(textOf('output')).toBe(`Type ${shown} to confirm.`)
    type(value)
    expect(textOf('output')).toBe('confirmed')
  }
})
