import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import MuiTextField from '@mui/material/TextField'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Control, useController, useFieldArray, useWatch } from 'react-hook-form'
import { filterVariable } from '#contract/dashboardRules.ts'
import type { Source } from '#contract/sources.ts'
import { metricTypeOptions } from '#console/telemetry/metricTypes.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/SelectField.tsx'
import { SwitchField } from '#console/ui/form/SwitchField.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { useColumns } from '../model/useColumns.ts'
import type { TileData } from '../model/dataScope.ts'
import { ConditionFields } from './ConditionFields.tsx'
import { ExpressionField } from './ExpressionField.tsx'
import { newFilter, type SettingsForm } from './settingsForm.ts'

interface FilterFieldsProps {
  control: Control<SettingsForm>
  sources: readonly Source[] | undefined
  data: TileData
}

/** The filters of a dashboard: where their values come from, which tiles they narrow, and how queries name them. */
export function FilterFields({ control, sources = [], data }: FilterFieldsProps) {
  const { fields, append, remove } = useFieldArray({ control, name: 'filters' })
  return (
    <>
      <Typography variant="h3" component="h3">
        Filters
      </Typography>
      {fields.map((field, index) => (
        <OneFilter
          key={field.id}
          control={control}
          index={index}
          sources={sources}
          data={data}
          onRemove={() => remove(index)}
        />
      ))}
      <Button
        onClick={() => append(newFilter(sources[0]?.id ?? ''))}
        startIcon={<Plus size={14} aria-hidden />}
        sx={{ alignSelf: 'flex-start' }}
      >
        Add filter
      </Button>
    </>
  )
}

interface OneFilterProps extends Pick<FilterFieldsProps, 'control' | 'data'> {
  index: number
  sources: readonly Source[]
  onRemove: () => void
}

function OneFilter({ control, index, sources, data, onRemove }: OneFilterProps) {
  const at = `filters.${index}` as const
  const { sourceId, broadcasts, isVariable, name } = useWatch({ control, name: at })
  const options = sources.map((source) => ({ value: source.id, label: source.name, detail: source.kind }))
  const own = useMemo(() => sources.filter(({ id }) => id === sourceId), [sources, sourceId])
  const [source] = own
  const [typing, setTyping] = useState(false)
  const columns = useColumns(data, own, typing)
  return (
    <Box component="fieldset" aria-label={`Filter ${index + 1}`} onFocus={() => setTyping(true)} sx={filterSx}>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
        <TextField control={control} name={`${at}.name`} label="Name" required />
        <Tooltip title="Remove filter">
          <IconButton aria-label={`Remove filter ${index + 1}`} onClick={onRemove}>
            <Trash2 size={14} aria-hidden />
          </IconButton>
        </Tooltip>
      </Box>
      <FieldGrid>
        <ExpressionField control={control} name={`${at}.expression`} label="Expression" fields={columns} required />
        <SelectField
          control={control}
          name={`${at}.sourceId`}
          label="Source of values"
          options={options}
          freeText
          required
        />
        {source?.kind === 'metric' && (
          <SelectField
            control={control}
            name={`${at}.metricType`}
            label="Metric type"
            options={metricTypeOptions(source)}
            freeText
          />
        )}
      </FieldGrid>
      <ConditionFields
        control={control}
        name={`${at}.where`}
        languageName={`${at}.whereLanguage`}
        label="Condition for values"
        fields={columns}
      />
      <Box sx={{ display: 'flex', flexDirection: 'column' }}>
        <SwitchField control={control} name={`${at}.broadcasts`} label="Apply to tiles" />
        {broadcasts && <ConcernedSources control={control} index={index} sources={sources} />}
        <SwitchField control={control} name={`${at}.isVariable`} label="Use as a variable in queries" />
        {isVariable && (
          <TextField
            control={control}
            name={`${at}.variableName`}
            label="Variable name"
            mono
            placeholder={filterVariable({ name, isVariableEnabled: true }) ?? ''}
            help="Leave empty to derive it from the filter name. In queries, use $name, $__filter($name) or $__conditionalAll(condition, $name)"
          />
        )}
      </Box>
    </Box>
  )
}

const filterSx = {
  border: 1,
  borderColor: 'divider',
  borderRadius: '10px',
  m: 0,
  p: 3,
  minWidth: 0,
  display: 'flex',
  flexDirection: 'column',
  gap: 3,
} as const

/** The sources whose tiles the filter is for. */
function ConcernedSources({ control, index, sources }: Omit<OneFilterProps, 'data' | 'onRemove'>) {
  const { field } = useController({ control, name: `filters.${index}.sourceIds` })
  const names = new Map(sources.map(({ id, name }) => [id, name]))
  return (
    <Autocomplete
      multiple
      size="small"
      options={sources.map(({ id }) => id)}
      getOptionLabel={(id) => names.get(id) ?? id}
      value={field.value}
      onChange={(_, ids) => field.onChange(ids)}
      sx={{ mt: 1, mb: 2 }}
      renderInput={(input) => (
        <MuiTextField
          {...input}
          label="Only tiles of these sources"
          placeholder={field.value.length === 0 ? 'All' : ''}
        />
      )}
    />
  )
}
