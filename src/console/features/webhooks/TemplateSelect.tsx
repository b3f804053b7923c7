import { useState } from 'react'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { bodyTemplates } from '#domain/alerting/notification/bodyTemplates.ts'
import { FieldHelp } from '#console/ui/base/Field.tsx'

const options = bodyTemplates.map(({ id, label }) => ({ value: id, label }))

/** Fills in the body for a well-known receiver. */
export function TemplateSelect({ onSelect }: { onSelect: (body: string) => void }) {
  const [selected, setSelected] = useState('')
  const template = bodyTemplates.find(({ id }) => id === selected)
  return (
    <div>
      <SelectInput
        label="Body template"
        value={selected}
        options={options}
        minWidth={220}
        onChange={(id) => {
          setSelected(id)
          onSelect(bodyTemplates.find((one) => one.id === id)?.body ?? '')
        }}
      />
      <FieldHelp>{template ? template.help : 'Replaces the body.'}</FieldHelp>
    </div>
  )
}
