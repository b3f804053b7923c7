import type { Control } from 'react-hook-form'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SwitchInput } from '#console/ui/form/fields/SwitchInput.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { FoldedPanel } from '#console/ui/layout/FoldedPanel.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { defaultPipeSize } from '#domain/sizing/pipePrices.ts'
import { counted } from '#domain/text/words.ts'
import { parametersFor, type Values } from '../model/scalingParameters.ts'
import { ScalingParameterField } from '../scaling/ScalingParameterField.tsx'
import { SettingField } from '../settings/SettingField.tsx'
import { readSettings } from '../settings/settingsForm.ts'
import { useSettingsFor } from '../settings/useSettingsFor.ts'
import type { CreatableKind, PipeForm } from '../forms/pipeForm.ts'

/** The values that a new pipe starts with by default. */
const initialValues: Values = { ...defaultPipeSize, concurrency: 0 }

/** The values that a new pipe will have. */
export const sizeOfForm = ({ scaling }: PipeForm): Values =>
  Object.fromEntries(Object.entries(initialValues).map(([field, value]) => [field, valueIn(scaling, field) ?? value]))

/** A field of the form that is not filled in is null. */
const valueIn = (scaling: Values, field: string): number | null => scaling[field] ?? null

interface SizeFieldsProps {
  control: Control<PipeForm>
  kind: CreatableKind
}

/** The size of a new pipe. It can be changed later. */
export function SizeFields({ control, kind }: SizeFieldsProps) {
  const [free, setFree] = useState(false)
  if (kind === 'postgres') {
    return (
      <Panel title="Size">
        <Text color="textSecondary">
          All database pipes of a service share one size. Change it on the page of the service.
        </Text>
      </Panel>
    )
  }
  const { applicable } = parametersFor(kind)
  return (
    <Panel
      title="Size"
      aside={
        applicable.some(({ range }) => range.doubling) ? (
          <SwitchInput label="Fine steps" checked={free} onChange={setFree} />
        ) : (
          'Can be changed later'
        )
      }
    >
      {applicable.map((parameter) => (
        <ScalingParameterField<PipeForm>
          key={parameter.field}
          control={control}
          // The form has all of the contract's parameters.
          name={`scaling.${parameter.field as keyof PipeForm['scaling']}`}
          parameter={parameter}
          current={initialValues[parameter.field] ?? null}
          free={free}
        />
      ))}
    </Panel>
  )
}

/** The settings of a new pipe: closed, with how many are not at their default. */
export function SettingsFields({ control, kind }: SizeFieldsProps) {
  const settings = useSettingsFor(kind)
  const values = useWatch({ control, name: 'settings' })
  if (settings.length === 0) return null
  const defaults = readSettings(settings, {})
  const changed = settings.filter(({ key }) => !Object.is(values[key], defaults[key])).length
  return (
    <FoldedPanel
      title="Settings"
      summary={
        changed === 0
          ? `${counted(settings.length, 'setting')} at their defaults`
          : `${counted(changed, 'setting')} of ${settings.length} changed`
      }
    >
      <FieldGrid>
        {settings.map((setting) => (
          <SettingField<PipeForm>
            key={setting.key}
            control={control}
            name={`settings.${setting.key}`}
            setting={setting}
            locked={undefined}
          />
        ))}
      </FieldGrid>
    </FoldedPanel>
  )
}
