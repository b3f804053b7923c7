import { useForm } from 'react-hook-form'
import { afterEach, expect, test } from 'vitest'
import { testRoot } from '../../testing/testRoot.ts'
import { type Option, SelectField } from './SelectField.tsx'

const { page, render } = testRoot()
afterEach(() => document.body.replaceChildren())

function Form({ value, options }: { value: string; options: readonly Option[] }) {
  const { control } = useForm({ defaultValues: { field: value } })
  return <SelectField control={control} name="field" label="Format" options={options} />
}

const listed = [
  { value: '', label: 'Plain number' },
  { value: 'byte', label: 'Bytes' },
]

test.each([
  ['an option for no value', '', listed, 'Plain number'],
  ['the label of a value', 'byte', listed, 'Bytes'],
  ['a value that is not listed', 'later', listed, 'later'],
  ['no value', '', listed.slice(1), '\u200b'],
])('shows %s', (_, value, options, shown) => {
  render(<Form value={value} options={options} />)
  expect(page().querySelector('[role=combobox]')?.textContent).toBe(shown)
})
