import Autocomplete from '@mui/material/Autocomplete'
import { hint } from '#console/ui/hint/hint.ts'
import MuiTextField from '@mui/material/TextField'
import { Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Control, Controller, useFieldArray, useForm } from 'react-hook-form'
import type { Dashboard } from '#contract/dashboards.ts'
import type { Source } from '#contract/sources.ts'
import { FormDrawer } from '#console/ui/form/FormDrawer.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { tiledSources, useColumns } from '../model/useColumns.ts'
import type { TileData } from '../model/dataScope.ts'
import { ConditionFields } from './ConditionFields.tsx'
import { FilterFields } from './FilterFields.tsx'
import { filterProblems, readSettings, type SettingsForm, writeSettings } from './settingsForm.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import css from './SettingsDrawer.module.css'

interface SettingsDrawerProps {
  dashboard: Dashboard
  data: TileData
  sources: readonly Source[] | undefined
  onApply: (dashboard: Dashboard) => void
  onClose: () => void
}

/** Limits of deployments: reference 4.1. */
const longestTag = 32
const maxTags = 50

/** Name, tags, default condition and filters of a dashboard. */
export function SettingsDrawer({ dashboard, data, sources, onApply, onClose }: SettingsDrawerProps) {
  const { control, handleSubmit, formState, setError } = useForm<SettingsForm>({
    defaultValues: readSettings(dashboard),
  })
  const [typing, setTyping] = useState(false)
  const tiled = useMemo(() => tiledSources(dashboard, sources), [dashboard, sources])
  const columns = useColumns(data, tiled, typing)
  const apply = handleSubmit((form) => {
    const problems = filterProblems(form.filters)
    for (const { field, why } of problems) setError(field, { message: why }, { shouldFocus: true })
    if (problems.length === 0) onApply(writeSettings(dashboard, form))
  })
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
      <TextField control={control} name="name" label="Name" maxLength={1024} />
      <Controller
        control={control}
        name="tags"
        rules={{
          validate: (tags) =>
            tags.length > maxTags
              ? `At most ${maxTags} tags`
              : tags.every((tag) => tag.length <= longestTag) || `A tag has at most ${longestTag} characters`,
        }}
        render={({ field, fieldState }) => (
          <Autocomplete
            multiple
            freeSolo
            options={[]}
            value={field.value}
            onChange={(_, tags) => field.onChange([...new Set(tags)])}
            renderInput={(input) => (
              <MuiTextField
                {...input}
                label="Tags"
                error={fieldState.invalid}
                helperText={fieldState.error?.message ?? 'Press Enter after each tag'}
              />
            )}
          />
        )}
      />
      <ConditionFields
        control={control}
        name="savedQuery"
        languageName="savedQueryLanguage"
        label="Default condition for all tiles"
        fields={columns}
        onActivate={() => setTyping(true)}
      />
      <SavedValues control={control} />
      <FilterFields control={control} sources={sources} data={data} />
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
          <code className={css.code}>{condition}</code>
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
