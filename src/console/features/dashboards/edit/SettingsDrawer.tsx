import { hint } from '#console/ui/hint/hint.ts'
import { Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Control, useFieldArray } from 'react-hook-form'
import { maxDashboardName, type Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import { FormDrawer } from '#console/ui/form/FormDrawer.tsx'
import { NamesField } from '#console/ui/form/fields/NamesField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { tiledSources, useColumns } from '../model/useColumns.ts'
import type { TileData } from '../model/dataScope.ts'
import { ConditionFields } from './ConditionFields.tsx'
import { FilterFields } from './FilterFields.tsx'
import { readSettings, settingsSchema, type SettingsForm, writeSettings } from './settingsForm.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from '../dashboards.module.css'

interface SettingsDrawerProps {
  dashboard: Dashboard
  data: TileData
  sources: readonly Source[] | undefined
  onApply: (dashboard: Dashboard) => void
  onClose: () => void
}

/** Name, tags, default condition and filters of a dashboard. */
export function SettingsDrawer({ dashboard, data, sources, onApply, onClose }: SettingsDrawerProps) {
  const { control, handleSubmit, formState } = useSchemaForm(settingsSchema, readSettings(dashboard))
  const [typing, setTyping] = useState(false)
  const tiled = useMemo(() => tiledSources(dashboard, sources), [dashboard, sources])
  const columns = useColumns(data, tiled, typing)
  const apply = handleSubmit((form) => onApply(writeSettings(dashboard, form)))
  return (
    <FormDrawer
      title="Dashboard settings"
      onSubmit={() => void apply()}
      submitLabel="Apply"
      onCancel={onClose}
      loading={false}
      submitError={null}
      dirty={formState.isDirty}
      changes="Applies to the draft. Not saved yet."
    >
      <TextField control={control} name="name" label="Name" maxLength={maxDashboardName} />
      <NamesField control={control} name="tags" label="Tags" help="Press Enter after each tag" />
      <ConditionFields
        control={control}
        name="savedQuery"
        languageName="savedQueryLanguage"
        label="Default condition for all tiles"
        fields={columns}
        onActivate={() => setTyping(true)}
      />
      <SavedValues control={control} />
      <FilterFields control={control} sources={sources} preferred={tiled[0]} data={data} />
    </FormDrawer>
  )
}

/** Default filter values and fixed conditions. They are set in the view by “Save as default”. */
function SavedValues({ control }: { control: Control<SettingsForm> }) {
  const { fields, remove } = useFieldArray({ control, name: 'saved' })
  if (fields.length === 0) return null
  return (
    <>
      <Text variant="h3" component="h3">
        Default values
      </Text>
      {fields.map(({ id, condition }, index) => (
        <div key={id} className={css.savedValues}>
          <code className={css.settingsCode}>{condition}</code>
          <IconButton
            {...hint('Remove this default')}
            aria-label={`Remove the default ${condition}`}
            onClick={() => remove(index)}
          >
            <Trash2 size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
    </>
  )
}
