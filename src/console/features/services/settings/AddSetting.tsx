import { useMemo, useRef, useState } from 'react'
import { z } from 'zod'
import { PickField } from '#console/ui/form/fields/PickField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { nameProblem, type Schemas, type SettingsForm } from './settingsForm.ts'

interface AddSettingProps {
  schemas: Schemas
  /** The schema is not read yet. */
  loading: boolean
  /** The names already in the list. */
  form: SettingsForm
  locked: string | undefined
  onAdd: (name: string) => void
}

/** Searches what can be set, by name and description, and adds it to the list. */
export function AddSetting({ onAdd, ...props }: AddSettingProps) {
  // The field is emptied after each setting.
  const [added, setAdded] = useState(0)
  const add = (name: string) => {
    onAdd(name)
    setAdded((before) => before + 1)
  }
  return (
    <Panel title="Add a setting">
      <SettingSearch key={added} {...props} onAdd={add} />
    </Panel>
  )
}

function SettingSearch({ schemas, loading, form, locked, onAdd }: AddSettingProps) {
  const schema = useMemo(
    () =>
      z.object({
        name: z.string().superRefine((name, context) => {
          const problem = nameProblem(name, form, schemas)
          if (problem) context.addIssue(problem)
        }),
      }),
    [form, schemas],
  )
  const { control, trigger } = useSchemaForm(schema, { name: '' })
  // A pick replaces the field, and a field that is left reports its text once more.
  const isDone = useRef(false)
  const pick = async (name: string) => {
    if (name === '' || !(await trigger('name')) || isDone.current) return
    isDone.current = true
    onAdd(name)
  }
  const listed = new Set(form.rows.map(({ name }) => name))
  return (
    <PickField
      control={control}
      name="name"
      label="Search by name or description"
      loading={loading}
      disabled={locked}
      emptyText="No setting of this service matches"
      help={
        schemas.size > 0
          ? `${schemas.size} settings can be set. Choose one, then enter its value below.`
          : 'The deployment does not say what can be set. Enter the name of a setting.'
      }
      options={[...schemas.values()].map(({ name, type, description }) => ({
        value: name,
        label: name,
        detail: [type, description].filter(Boolean).join(' · '),
        ...(listed.has(name) && { disabled: 'In the list below' }),
      }))}
      onPick={(name) => void pick(name)}
    />
  )
}
