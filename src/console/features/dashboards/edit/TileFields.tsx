import { type UseFormReturn, useWatch } from 'react-hook-form'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import { tileColors } from '#contract/stack/dashboards/tileParts.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Field } from '#console/charting/fields.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { GroupByInput } from '#console/charting/queryBuilder/GroupByInput.tsx'
import { listsRows } from '#console/charting/tiles/tileQuery.ts'
import { ConditionFields } from './ConditionFields.tsx'
import { ExpressionField } from './ExpressionField.tsx'
import { FormulaFields } from './FormulaFields.tsx'
import { NumberFormatFields } from './NumberFormatFields.tsx'
import { SeriesFields } from './SeriesFields.tsx'
import { SqlField } from './SqlField.tsx'
import { hasField, takesSeries, type TileForm } from './tileForm.ts'
import { tileKinds } from './tileKinds.ts'
import { useSourceChange } from './useSourceChange.ts'
import * as css from '../dashboards.module.css'

interface TileFieldsProps {
  form: UseFormReturn<TileForm>
  sources: readonly Source[] | undefined
  isSql: boolean
  /** Columns of the tile's source, for suggestions. */
  columns: readonly Field[]
}

const kinds = tileKinds.map(({ kind, label, detail }) => ({ value: kind, label, detail }))
const sqlKinds = kinds.filter(({ value }) => ['line', 'stacked_bar', 'table', 'number', 'pie', 'bar'].includes(value))
const colors = [
  { value: '', label: 'Default' },
  ...tileColors.map((value) => ({ value, label: value.replace('chart-', '') })),
]

const interpolations = [
  { value: '', label: 'Default (straight)' },
  { value: 'linear', label: 'Straight' },
  { value: 'smooth', label: 'Smooth' },
  { value: 'step', label: 'Steps' },
]

/** The fields of the tile's type. Values without a field are unchanged. */
export function TileFields({ form, sources, isSql, columns }: TileFieldsProps) {
  const { control } = form
  const [kind, sourceId] = useWatch({ control, name: ['kind', 'sourceId'] })
  const { pickSource, removed, undo } = useSourceChange(form, sources)
  const source = sources?.find(({ id }) => id === sourceId)
  const sourceOptions = (sources ?? [])
    .filter((offered) => kind !== 'heatmap' || offered.kind === 'trace')
    .map((offered) => ({ value: offered.id, label: offered.name, detail: offered.kind }))
  const isText = kind === 'markdown'
  return (
    <div className={css.tileFields}>
      <FieldGrid>
        <TextField control={control} name="name" label="Name" />
        <TextField control={control} name="description" label="Description" maxLength={10_000} />
      </FieldGrid>
      <FieldGrid>
        <SelectField control={control} name="kind" label="Type" options={isSql ? sqlKinds : kinds} />
        {!isText && (
          <SelectField
            control={control}
            name="sourceId"
            label={isSql ? 'Source (optional)' : 'Source'}
            options={sourceOptions}
            freeText
            onPick={isSql ? undefined : pickSource}
          />
        )}
      </FieldGrid>
      {isText && <TextField control={control} name="markdown" label="Text (Markdown)" lines={8} maxLength={50_000} />}
      {isSql && <SqlField control={control} sources={sources} />}
      {removed !== undefined && (
        <Notice tone="info" role="status" action={<Button onClick={undo}>Undo</Button>}>
          {removed}
        </Notice>
      )}
      {!isText && !isSql && <QueryFields form={form} kind={kind} source={source} columns={columns} />}
      {!isText && !listsRows({ displayType: kind }) && (
        <LookFields form={form} kind={kind} source={source} isSql={isSql} />
      )}
    </div>
  )
}

interface KindFieldsProps {
  form: UseFormReturn<TileForm>
  /** The type of the tile. */
  kind: string
  source: Source | undefined
}

/** The query that is built from fields: series, condition, groups, order. */
function QueryFields({ form, kind, source, columns }: KindFieldsProps & Pick<TileFieldsProps, 'columns'>) {
  const { control } = form
  const has = (field: keyof TileForm) => hasField(kind, field)
  const isList = listsRows({ displayType: kind })
  return (
    <>
      {takesSeries(kind) && (
        <SeriesFields
          form={form}
          source={source}
          single={kind === 'pie' || kind === 'bar' || kind === 'heatmap'}
          heatmap={kind === 'heatmap'}
          columns={columns}
        />
      )}
      {takesSeries(kind) && has('formulas') && <FormulaFields form={form} />}
      {isList && (
        <ExpressionField
          control={control}
          name="columns"
          label="Columns"
          fields={columns}
          help="Comma-separated expressions. Leave empty for the source’s default columns"
        />
      )}
      {has('where') && (
        <ConditionFields
          control={control}
          name="where"
          languageName="whereLanguage"
          label="Condition"
          fields={columns}
        />
      )}
      {has('groupBy') && !isList && kind !== 'number' && kind !== 'heatmap' && (
        <GroupByField form={form} columns={columns} />
      )}
      {(has('orderBy') || has('having')) && !isList && (
        <FieldGrid>
          {has('orderBy') && <ExpressionField control={control} name="orderBy" label="Order by" fields={columns} />}
          {has('having') && <ExpressionField control={control} name="having" label="Having" fields={columns} />}
          {has('limit') && (
            <NumberField control={control} name="limit" label="Max groups" help="0 for all, empty for the default" />
          )}
        </FieldGrid>
      )}
    </>
  )
}

function GroupByField({ form, columns }: Pick<TileFieldsProps, 'form' | 'columns'>) {
  const groupBy = useWatch({ control: form.control, name: 'groupBy' })
  return (
    <div className={css.groupBy}>
      <GroupByInput
        names={splitExpressions(groupBy)}
        fields={columns}
        onChange={(names) => form.setValue('groupBy', names.join(', '), { shouldDirty: true })}
      />
    </div>
  )
}

/** How values are drawn: format of numbers, lines, color, and what can be switched on and off. */
function LookFields({ form, kind, source, isSql }: KindFieldsProps & Pick<TileFieldsProps, 'isSql'>) {
  const { control } = form
  return (
    <>
      <NumberFormatFields form={form} source={isSql ? undefined : source} />
      <FieldGrid columns={3}>
        {hasField(kind, 'seriesLimit') && (
          <NumberField control={control} name="seriesLimit" label="Max series" help="0 for all" />
        )}
        {kind === 'line' && (
          <SelectField control={control} name="lineInterpolation" label="Line interpolation" options={interpolations} />
        )}
        {kind === 'number' && <SelectField control={control} name="color" label="Color" options={colors} />}
      </FieldGrid>
      <Switches form={form} kind={kind} isSql={isSql} />
    </>
  )
}

const switches = [
  ['asRatio', 'Show as ratio'],
  ['showOperandSeries', 'Show series used in formulas'],
  ['fillNulls', 'Fill empty buckets with zero'],
  ['compareToPreviousPeriod', 'Compare with the previous period'],
  ['fitYAxisToData', 'Fit Y axis to data'],
  ['alignDateRangeToGranularity', 'Align range to buckets'],
  ['groupByColumnsOnLeft', 'Group columns on the left'],
] as const

function Switches({ form, kind, isSql }: { form: UseFormReturn<TileForm>; kind: string; isSql: boolean }) {
  const series = useWatch({ control: form.control, name: 'series' })
  const shown = switches.filter(
    ([name]) => hasField(kind, name) && !(isSql && (name === 'asRatio' || name === 'showOperandSeries')),
  )
  return (
    <div className={css.switches}>
      {shown.map(([name, label]) => (
        <SwitchField
          key={name}
          control={form.control}
          name={name}
          label={label}
          disabled={name === 'asRatio' && series.length !== 2 ? 'A ratio needs exactly two series.' : undefined}
        />
      ))}
    </div>
  )
}
