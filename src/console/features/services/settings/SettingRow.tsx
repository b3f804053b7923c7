import { RotateCcw, Undo2, X } from 'lucide-react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { Button } from '#console/ui/base/Button.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { SettingSchema } from '#contract/cloud/services/serviceSettings.ts'
import { choicesOf, type SettingsForm } from './settingsForm.ts'
import * as css from '../services.module.css'

interface SettingRowProps {
  form: UseFormReturn<SettingsForm>
  at: number
  schema: SettingSchema | undefined
  /** The schema of the service has it, or is not known. */
  isKnown: boolean
  /** It is set on the deployment. */
  isSet: boolean
  locked: string | undefined
  onRemove: () => void
}

/** One setting: what it does, its value, and the way back to its default. */
export function SettingRow({ form, at, schema, isKnown, isSet, locked, onRemove }: SettingRowProps) {
  const row = useWatch({ control: form.control, name: `rows.${at}` })
  if (!row) return null
  const { name, reset } = row
  const setReset = (to: boolean) => form.setValue(`rows.${at}.reset`, to, { shouldDirty: true, shouldValidate: true })
  const facts = [schema?.type, schema?.example && `for example ${schema.example}`].filter(Boolean).join(' · ')
  return (
    <div role="group" aria-label={name} className={css.settingRow}>
      <div className={css.about}>
        <code className={css.settingName}>{name}</code>
        {!isSet && <StatusChip tone="accent">New</StatusChip>}
        {reset && <StatusChip tone="warn">Reset to default</StatusChip>}
        {schema?.description && <div className={css.settingDescription}>{schema.description}</div>}
        {facts && <div className={css.settingFacts}>{facts}</div>}
        {!isKnown && <div className={css.settingWarning}>Not in the list of what this service can set.</div>}
        {schema?.warning && <div className={css.settingWarning}>{schema.warning}</div>}
        {schema?.deprecationNotice && <div className={css.settingWarning}>{schema.deprecationNotice}</div>}
      </div>
      <ValueField
        form={form}
        at={at}
        schema={schema}
        locked={locked ?? (reset ? 'Will be reset to its default.' : undefined)}
      />
      <div className={css.settingActions}>
        {isSet && (
          <DisabledReason reason={locked}>
            <Button
              disabled={locked !== undefined}
              startIcon={reset ? <Undo2 size={14} aria-hidden /> : <RotateCcw size={14} aria-hidden />}
              aria-label={reset ? `Keep ${name}` : `Reset ${name}`}
              onClick={() => setReset(!reset)}
            >
              {reset ? 'Keep' : 'Reset'}
            </Button>
          </DisabledReason>
        )}
        {!isSet && (
          <Button startIcon={<X size={14} aria-hidden />} aria-label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
    </div>
  )
}

function ValueField({ form, at, schema, locked }: Pick<SettingRowProps, 'form' | 'at' | 'schema' | 'locked'>) {
  const shared = { control: form.control, name: `rows.${at}.value`, label: 'Value', disabled: locked } as const
  const choices = schema && choicesOf(schema)
  if (!choices?.length) return <TextField {...shared} mono />
  return <SelectField {...shared} options={choices.map((value) => ({ value, label: value }))} />
}
