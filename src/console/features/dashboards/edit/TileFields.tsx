import { useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import { tileColors } from '#contract/stack/dashboards/tileParts.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Field } from '#console/charting/fields.ts'
import { sameJson } from '#domain/json/json.ts'
import { droppedText, forSource } from '#console/charting/sourceChange.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { GroupByInput } from '#console/charting/queryBuilder/GroupByInput.tsx'
import { ConditionFields } from './ConditionFields.tsx'
import { ExpressionField } from './ExpressionField.tsx'
import { FormulaFields } from './FormulaFields.tsx'
import { NumberFormatFields } from './NumberFormatFields.tsx'
import { SeriesFields } from './SeriesFields.tsx'
import { SqlField } from './SqlField.tsx'
import { hasField, takesSeries, type TileForm } from './tileForm.ts'
import { tileKinds } from './tileKinds.ts'
import * as css from '../dashboards.module.css'

/** The fields that a change of source may change. */
type TileQuery = Pick<TileForm, 'series' | 'groupBy' | 'where' | 'sourceId'>

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
  const kind = useWatch({ control, name: 'kind' })
  /** The last change of source that removed something. Undo is offered until the query is edited further. */
  const [removed, setRemoved] = useState<{ text: string; before: TileQuery; after: TileQuery } | null>(null)
  const [series, groupBy, where, sourceId] = useWatch({ control, name: ['series', 'groupBy', 'where', 'sourceId'] })
  const isUnedited = removed !== null && sameJson({ series, groupBy, where, sourceId }, removed.after)
  const setQuery = (query: Partial<TileQuery>) => {
    for (const [name, value] of Object.entries(query)) {
      // The names are those of the form.
      form.setValue(name as keyof TileQuery, value, { shouldDirty: true })
    }
  }
  /** Called after the choice: the form has the new source by then. */
  const pickSource = (picked: string) => {
    const before = form.getValues()
    const { values, dropped } = tileOnSource(before, sourceId, picked, sources ?? [])
    setQuery(values)
    if (dropped.length === 0) return
    const query = { series: before.series, groupBy: before.groupBy, where: before.where }
    setRemoved({
      text: droppedText(dropped, sources ?? [], picked),
      before: { ...query, sourceId },
      after: { ...values, sourceId: picked },
    })
  }
  const has = (field: keyof TileForm) => hasField(kind, field)
  const sourceOptions = (sources ?? [])
    .filter((source) => kind !== 'heatmap' || source.kind === 'trace')
    .map(({ id, name, kind }) => ({ value: id, label: name, detail: kind }))
  const source = sources?.find(({ id }) => id === sourceId)
  const isText = kind === 'markdown'
  const listsRows = kind === 'search' || kind === 'event_patterns'
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
      {isUnedited && (
        <Notice
          tone="info"
          role="status"
          action={
            <Button
              onClick={() => {
                setQuery(removed.before)
                setRemoved(null)
              }}
            >
              Undo
            </Button>
          }
        >
          {removed.text}
        </Notice>
      )}
      {!isText && !isSql && takesSeries(kind) && (
        <SeriesFields
          form={form}
          source={source}
          single={kind === 'pie' || kind === 'bar' || kind === 'heatmap'}
          heatmap={kind === 'heatmap'}
          columns={columns}
        />
      )}
      {!isSql && has('formulas') && takesSeries(kind) && <FormulaFields form={form} />}
      {listsRows && (
        <ExpressionField
          control={control}
          name="columns"
          label="Columns"
          fields={columns}
          help="Comma-separated expressions. Leave empty for the source’s default columns"
        />
      )}
      {!isText && !isSql && has('where') && (
        <ConditionFields
          control={control}
          name="where"
          languageName="whereLanguage"
          label="Condition"
          fields={columns}
        />
      )}
      {!isText && !isSql && has('groupBy') && !listsRows && kind !== 'number' && kind !== 'heatmap' && (
        <div className={css.groupBy}>
          <GroupByInput
            names={splitExpressions(groupBy)}
            fields={columns}
            onChange={(names) => form.setValue('groupBy', names.join(', '), { shouldDirty: true })}
          />
        </div>
      )}
      {!isText && !isSql && (has('orderBy') || has('having')) && !listsRows && (
        <FieldGrid>
          {has('orderBy') && <ExpressionField control={control} name="orderBy" label="Order by" fields={columns} />}
          {has('having') && <ExpressionField control={control} name="having" label="Having" fields={columns} />}
          {has('limit') && (
            <NumberField control={control} name="limit" label="Max groups" help="0 for all, empty for the default" />
          )}
        </FieldGrid>
      )}
      {!isText && !listsRows && <NumberFormatFields form={form} source={isSql ? undefined : source} />}
      {!isText && !listsRows && (
        <FieldGrid columns={3}>
          {has('seriesLimit') && (
            <NumberField control={control} name="seriesLimit" label="Max series" help="0 for all" />
          )}
          {kind === 'line' && (
            <SelectField
              control={control}
              name="lineInterpolation"
              label="Line interpolation"
              options={interpolations}
            />
          )}
          {has('color') && kind === 'number' && (
            <SelectField control={control} name="color" label="Color" options={colors} />
          )}
        </FieldGrid>
      )}
      {!isText && !listsRows && <Switches form={form} kind={kind} isSql={isSql} />}
    </div>
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

/** The fields of a tile that change with its source, and what of its query the new source lacks. */
function tileOnSource(
  form: TileForm,
  fromId: string,
  toId: string,
  sources: readonly Source[],
): { values: Pick<TileForm, 'series' | 'groupBy' | 'where'>; dropped: string[] } {
  const [from, to] = [fromId, toId].map((id) => sources.find((source) => source.id === id))
  const { where, whereLanguage } = form
  const whole = forSource({ field: '', where, whereLanguage, groupBy: splitExpressions(form.groupBy) }, from, to)
  const series = form.series.map((item) => {
    const moved = forSource({ ...item, field: item.valueExpression, groupBy: [] }, from, to)
    const { field: valueExpression, where: condition } = moved.query
    return { values: { ...item, valueExpression, where: condition }, dropped: moved.dropped }
  })
  return {
    values: {
      where: whole.query.where,
      groupBy:
        whole.dropped.length === 0 && sameText(whole.query.groupBy, form)
          ? form.groupBy
          : whole.query.groupBy.join(', '),
      series: series.map(({ values }) => values),
    },
    dropped: [...new Set([...whole.dropped, ...series.flatMap(({ dropped }) => dropped)])],
  }
}

/** Whether the groups are those of the form. If so, the form keeps them as they were typed. */
function sameText(groupBy: readonly string[], form: TileForm): boolean {
  return groupBy.join() === splitExpressions(form.groupBy).join()
}
