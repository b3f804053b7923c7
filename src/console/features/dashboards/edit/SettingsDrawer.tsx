import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import MuiTextField from '@mui/material/TextField'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { Plus, Trash2 } from 'lucide-react'
import { Controller, useFieldArray, useForm, useWatch } from 'react-hook-form'
import type { Dashboard } from '#contract/dashboards.ts'
import type { Source } from '#contract/sources.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { FormDrawer } from '#console/ui/form/FormDrawer.tsx'
import { SelectField } from '#console/ui/form/SelectField.tsx'
import { SwitchField } from '#console/ui/form/SwitchField.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { newFilter, readSettings, type SettingsForm, writeSettings } from './settingsForm.ts'

interface SettingsDrawerProps {
  dashboard: Dashboard
  sources: readonly Source[] | undefined
  onApply: (dashboard: Dashboard) => void
  onClose: () => void
}

const languages = [
  { value: 'lucene', label: 'field:value' },
  { value: 'sql', label: 'SQL' },
]
/** What deployments take: reference 4.1. */
const longestTag = 32
const maxTags = 50

/** Name, tags, default condition and filters of a dashboard. */
export function SettingsDrawer({ dashboard, sources, onApply, onClose }: SettingsDrawerProps) {
  const { control, handleSubmit, formState } = useForm<SettingsForm>({ defaultValues: readSettings(dashboard) })
  const { fields, append, remove } = useFieldArray({ control, name: 'filters' })
  const apply = handleSubmit((form) => onApply(writeSettings(dashboard, form)))
  const options = (sources ?? []).map(({ id, name, kind }) => ({ value: id, label: name, detail: kind }))
  return (
    <FormDrawer
      title="Dashboard settings"
      onSubmit={() => void apply()}
      submitLabel="Apply"
      onCancel={onClose}
      loading={false}
      submitError={null}
      dirty={formState.isDirty}
      changes="Applies to the draft; nothing is sent yet."
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
                helperText={fieldState.error?.message ?? 'Enter after each'}
              />
            )}
          />
        )}
      />
      <FieldGrid>
        <TextField control={control} name="savedQuery" label="Default condition over all tiles" mono />
        <SelectField control={control} name="savedQueryLanguage" label="Language" options={languages} />
      </FieldGrid>
      <Typography variant="h3" component="h3">
        Filters
      </Typography>
      {fields.map((field, index) => (
        <Box
          key={field.id}
          component="fieldset"
          aria-label={`Filter ${index + 1}`}
          sx={{ border: 1, borderColor: 'divider', borderRadius: '10px', m: 0, p: 3, minWidth: 0 }}
        >
          <FieldGrid>
            <TextField control={control} name={`filters.${index}.name`} label="Name" required />
            <SelectField
              control={control}
              name={`filters.${index}.sourceId`}
              label="Source of its values"
              options={options}
              freeText
            />
          </FieldGrid>
          <Box sx={{ mt: 3, display: 'flex', gap: 2, alignItems: 'flex-start' }}>
            <TextField control={control} name={`filters.${index}.expression`} label="Expression" mono required />
            <Tooltip title="Remove filter">
              <IconButton aria-label={`Remove filter ${index + 1}`} onClick={() => remove(index)}>
                <Trash2 size={14} aria-hidden />
              </IconButton>
            </Tooltip>
          </Box>
          <SwitchField control={control} name={`filters.${index}.broadcasts`} label="Applies to all tiles" />
          <VariableFields control={control} index={index} />
        </Box>
      ))}
      <Button
        onClick={() => append(newFilter(options[0]?.value ?? ''))}
        startIcon={<Plus size={14} aria-hidden />}
        sx={{ alignSelf: 'flex-start' }}
      >
        Add filter
      </Button>
    </FormDrawer>
  )
}

function VariableFields({
  control,
  index,
}: {
  control: ReturnType<typeof useForm<SettingsForm>>['control']
  index: number
}) {
  const isVariable = useWatch({ control, name: `filters.${index}.isVariable` })
  return (
    <>
      <SwitchField control={control} name={`filters.${index}.isVariable`} label="Can be named in queries" />
      {isVariable && (
        <TextField
          control={control}
          name={`filters.${index}.variableName`}
          label="Variable name"
          mono
          help="Empty: made from the filter’s name"
        />
      )}
    </>
  )
}
