import Autocomplete from '@mui/material/Autocomplete'
import { hint } from '#console/ui/hint/hint.ts'
import MuiTextField from '@mui/material/TextField'
import { Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Control, useController, useFieldArray, useWatch } from 'react-hook-form'
import { filterVariable } from '#contract/filterVariables.ts'
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
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import css from './FilterFields.module.css'

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
      <Text variant="h3" component="h3">
        Filters
      </Text>
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
        className={css.filterFields}
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
    // The focus of its fields starts the reading of columns.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset aria-label={`Filter ${index + 1}`} onFocus={() => setTyping(true)} className={css.filter}>
      <div className={css.header}>
        <TextField control={control} name={`${at}.name`} label="Name" required />
        <IconButton {...hint('Remove filter')} aria-label={`Remove filter ${index + 1}`} onClick={onRemove}>
          <Trash2 size={14} aria-hidden />
        </IconButton>
      </div>
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
      <div className={css.scope}>
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
      </div>
    </fieldset>
  )
}

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
