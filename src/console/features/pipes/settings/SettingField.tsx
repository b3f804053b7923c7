import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import type { PipeSetting } from '#contract/cloud/pipes/pipeSettings.ts'
import { settingBounds, formatSetting } from './settingsForm.ts'

interface SettingFieldProps<Values extends FieldValues> {
  setting: PipeSetting
  control: Control<Values>
  name: FieldPath<Values>
  locked: string | undefined
}

/** The field of one setting with description and bounds. Empty means the default. */
export function SettingField<Values extends FieldValues>({
  setting,
  control,
  name,
  locked,
}: SettingFieldProps<Values>) {
  const { key, type, meaning, unit } = setting
  const fallback = formatSetting(setting, null)
  if (type === 'boolean') {
    return (
      <SelectField
        control={control}
        name={name}
        label={key}
        help={`${meaning}.`}
        disabled={locked}
        options={[
          { value: 'default', label: fallback },
          { value: 'on', label: 'on' },
          { value: 'off', label: 'off' },
        ]}
      />
    )
  }
  return (
    <NumberField
      control={control}
      name={name}
      label={key}
      help={`${meaning}. ${settingBounds(key)}.`}
      placeholder={fallback}
      disabled={locked}
      {...(unit && { unit })}
    />
  )
}
