import type { ReactNode } from 'react'
import { useForm, type Control, type FieldValues } from 'react-hook-form'
import { afterEach, expect, test } from 'vitest'
import { DescriptionList } from '../DescriptionList.tsx'
import { ChecksField } from '../form/fields/ChecksField.tsx'
import { SelectField } from '../form/fields/SelectField.tsx'
import { Notice } from '../Notice.tsx'
import { SelectInput } from '../SelectInput.tsx'
import { StatusChip } from '../StatusChip.tsx'
import { NamesInput } from '../suggest/NamesInput.tsx'
import { testRoot } from '../testing/testRoot.ts'
import { Text } from './Text.tsx'

const { page, render } = testRoot()
afterEach(() => document.body.replaceChildren())

const name = 'shop\u200b\u202eeu'
const seen = String.raw`shop\u{200b}\u{202e}eu`
const options = [{ value: 'a', label: name, detail: name }]
const nothing = () => {}

function Form({ children }: { children: (control: Control) => ReactNode }) {
  const { control } = useForm<FieldValues>({ defaultValues: { field: 'a', fields: ['a'] } })
  return children(control)
}

const contents: Record<string, ReactNode> = {
  'a text': <Text>{name}</Text>,
  'a part of a text': <Text>The service {name} is down.</Text>,
  'a notice': <Notice tone="info">{name}</Notice>,
  'a chip': <StatusChip tone="ok">{name}</StatusChip>,
  'a description': <DescriptionList rows={[['Name', name]]} />,
  'the name of a description': <DescriptionList rows={[[name, 'value']]} />,
  'a selection': <SelectInput label="Name" value="a" options={options} onChange={nothing} />,
  'an unknown selection': <SelectInput label="Name" value={name} options={[]} onChange={nothing} />,
  'a selected option': (
    <Form>{(control) => <SelectField control={control} name="field" label="Name" options={options} />}</Form>
  ),
  'an option to check': (
    <Form>{(control) => <ChecksField control={control} name="fields" label="Names" options={options} />}</Form>
  ),
  'a chosen name': <NamesInput label="Names" names={[name]} suggestions={[]} onChange={nothing} placeholder="" />,
}

test.each(Object.entries(contents))('%s shows its invisible characters', (_, content) => {
  render(content)
  expect(page().textContent).toContain(seen)
  expect(page().textContent).not.toMatch(/[\u200b\u202e]/)
})

test('sentences keep their line breaks and the spaces of times and numbers', () => {
  render(<Text>{'One\nTwo at 9:00\u202fPM, 1\u00a0000'}</Text>)
  expect(page().textContent).toBe('One\nTwo at 9:00\u202fPM, 1\u00a0000')
})
