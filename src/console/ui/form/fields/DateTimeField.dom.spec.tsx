import { act } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { afterEach, expect, test } from 'vitest'
import { testRoot } from '../../testing/testRoot.ts'
import { formatInstant } from '../../time/formatRangeTime.ts'
import { PrintingContext } from '../../base/useNearViewport.ts'
import type { Zone } from '#domain/time/zone.ts'
import { DateTimeField } from './DateTimeField.tsx'

const { page, render } = testRoot()
afterEach(() => document.body.replaceChildren())

/** The field is loaded on demand. */
const loaded = () => act(async () => void (await import('../../time/MuiDateTimeInput.tsx')))

const at = '2026-01-02T03:04:00.000Z'

function Form({ value, zone }: { value: string; zone: Zone }) {
  const { control, setValue } = useForm({ defaultValues: { at: value } })
  return (
    <PrintingContext value={true}>
      <DateTimeField control={control} name="at" label="Start" zone={zone} help="Optional" />
      <output>{useWatch({ control, name: 'at' })}</output>
      <button id="another" onClick={() => setValue('at', '2026-05-06T07:08:00.000Z')}>
        Another
      </button>
    </PrintingContext>
  )
}

/** The parts of the field, as they are read. */
const shown = () =>
  [...page().querySelectorAll('[role=spinbutton]')]
    .map((part) => part.textContent?.replaceAll(/\D/g, '') ?? '')
    .join(' ')

const inBrowserZone = (iso: string) => formatInstant(Date.parse(iso), 'local').replaceAll(/\D/g, ' ')

test('shows a moment in the time zone of the browser, and what that is in UTC', async () => {
  render(<Form value={at} zone="local" />)
  await loaded()
  expect(shown()).toBe(inBrowserZone(at))
  expect(page().textContent).toContain(`${at} in UTC`)
})

test('shows a moment in UTC where the field says so', async () => {
  render(<Form value={at} zone="utc" />)
  await loaded()
  expect(shown()).toBe('2026 01 02 03 04')
  expect(page().textContent).toContain('Optional')
})

test('shows another moment that the form gives it', async () => {
  render(<Form value="" zone="utc" />)
  await loaded()
  expect(shown().trim()).toBe('')
  act(() => page().querySelector<HTMLElement>('#another')?.click())
  expect(shown()).toBe('2026 05 06 07 08')
  expect(page().querySelector('output')?.textContent).toBe('2026-05-06T07:08:00.000Z')
})
