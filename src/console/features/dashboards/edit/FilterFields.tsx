import { hint } from '#console/ui/hint/hint.ts'
import { Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Control, useFieldArray, useWatch } from 'react-hook-form'
import { filterVariable } from '#contract/stack/dashboards/filterVariables.ts'
import type { Source } from '#contract/stack/sources.ts'
import { metricTypeOptions } from '#console/charting/metricTypes.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { PickSeveralField } from '#console/ui/form/fields/PickSeveralField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useColumns } from '../model/useColumns.ts'
import type { TileData } from '../model/dataScope.ts'
import { ConditionFields } from './ConditionFields.tsx'
import { ExpressionField } from './ExpressionField.tsx'
import { newFilter, type SettingsForm } from './settingsForm.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from '../dashboards.module.css'

interface FilterFieldsProps {
  control: Control<SettingsForm>
  sources: readonly Source[] | undefined
  /** The source of a new filter: one that the tiles read. */
  preferred: Source | undefined
  data: TileData
}

/** The filters of a dashboard: where their values come from, which tiles they narrow, and how queries name them. */
export function FilterFields({ control, sources = [], preferred = sources[0], data }: FilterFieldsProps) {
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
      <div className={css.filterAdd}>
        {kinds.map(({ kind, label }) => (
          <Button
            key={kind}
            onClick={() => append(newFilter(kind, preferred?.id ?? ''))}
            startIcon={<Plus size={14} aria-hidden />}
          >
            {label}
          </Button>
        ))}
      </div>
    </>
  )
}

const kinds = [
  { kind: 'QUERY_EXPRESSION', label: 'Add filter' },
  { kind: 'STATIC_LIST', label: 'Add static list' },
] as const

interface OneFilterProps extends Pick<FilterFieldsProps, 'control' | 'data'> {
  index: number
  sources: readonly Source[]
  onRemove: () => void
}

function OneFilter({ control, index, sources, data, onRemove }: OneFilterProps) {
  const at = `filters.${index}` as const
  const { kind } = useWatch({ control, name: at })
  const title = `${kind === 'STATIC_LIST' ? 'Static list' : 'Filter'} ${index + 1}`
  const [typing, setTyping] = useState(false)
  return (
    // The focus of its fields starts the reading of columns.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset aria-label={title} onFocus={() => setTyping(true)} className={css.filter}>
      <div className={css.filterHeader}>
        <TextField control={control} name={`${at}.name`} label="Name" required />
        <IconButton
          {...hint(`Remove ${kind === 'STATIC_LIST' ? 'static list' : 'filter'}`)}
          aria-label={`Remove ${title.toLowerCase()}`}
          onClick={onRemove}
        >
          <Trash2 size={14} aria-hidden />
        </IconButton>
      </div>
      {kind === 'STATIC_LIST' ? (
        <ListFields control={control} index={index} />
      ) : (
        <QueryFields control={control} index={index} sources={sources} data={data} typing={typing} />
      )}
    </fieldset>
  )
}

type FieldsProps = Omit<OneFilterProps, 'onRemove'>

/** The values of a list that the dashboard has itself: queries use the chosen ones. */
function ListFields({ control, index }: Pick<FieldsProps, 'control' | 'index'>) {
  const at = `filters.${index}` as const
  return (
    <>
      <TextField control={control} name={`${at}.options`} label="Values" lines={3} help="One per line" required />
      <VariableName control={control} index={index} />
      <Selections control={control} index={index} />
    </>
  )
}

/** Where the values are read, which tiles they narrow, and how queries name them. */
function QueryFields({ control, index, sources, data, typing }: FieldsProps & { typing: boolean }) {
  const at = `filters.${index}` as const
  const { sourceId, broadcasts, isVariable } = useWatch({ control, name: at })
  const options = sources.map((source) => ({ value: source.id, label: source.name, detail: source.kind }))
  const own = useMemo(() => sources.filter(({ id }) => id === sourceId), [sources, sourceId])
  const [source] = own
  const columns = useColumns(data, own, typing)
  return (
    <>
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
        {isVariable && <VariableName control={control} index={index} />}
        <Selections control={control} index={index} />
      </div>
    </>
  )
}

/** How many of its values are chosen. */
function Selections({ control, index }: Pick<FieldsProps, 'control' | 'index'>) {
  const at = `filters.${index}` as const
  return (
    <>
      <SwitchField control={control} name={`${at}.single`} label="Only one value at a time" />
      <SwitchField
        control={control}
        name={`${at}.required`}
        label="Required"
        help="Its tiles are queried once a value is chosen."
      />
    </>
  )
}

function VariableName({ control, index }: Pick<FieldsProps, 'control' | 'index'>) {
  const name = useWatch({ control, name: `filters.${index}.name` })
  return (
    <TextField
      control={control}
      name={`filters.${index}.variableName`}
      label="Variable name"
      mono
      placeholder={filterVariable({ name, isVariableEnabled: true }) ?? ''}
      help="Leave empty to derive it from the filter name. In queries, use $name, $__filter($name) or $__conditionalAll(condition, $name)"
    />
  )
}

/** The sources whose tiles the filter is for. */
function ConcernedSources({ control, index, sources }: Omit<FieldsProps, 'data'>) {
  return (
    <PickSeveralField
      control={control}
      name={`filters.${index}.sourceIds`}
      label="Only tiles of these sources"
      options={sources.map(({ id, name }) => ({ value: id, label: name }))}
      placeholder="All"
    />
  )
}
