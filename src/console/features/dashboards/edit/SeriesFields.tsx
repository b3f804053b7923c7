import { Plus, Trash2 } from 'lucide-react'
import { hint } from '#console/ui/hint/hint.ts'
import { type Control, useFieldArray, type UseFormReturn, useWatch } from 'react-hook-form'
import type { Source } from '#contract/sources.ts'
import { quantileLevels } from '#contract/tileParts.ts'
import { aggregateNote, aggregateOptions } from '#console/telemetry/aggregates.ts'
import { type Field, textProblem } from '#console/telemetry/fields.ts'
import { metricTypeOptions } from '#console/telemetry/metricTypes.ts'
import { letterOf } from '#console/telemetry/seriesNames.ts'
import { ConditionHelp } from '#console/shell/telemetry/ConditionHelp.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { ConditionFields } from './ConditionFields.tsx'
import { ExpressionField } from './ExpressionField.tsx'
import { MetricField } from './MetricField.tsx'
import { newSeries, type TileForm } from './tileForm.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import css from './SeriesFields.module.css'

interface SeriesFieldsProps {
  form: UseFormReturn<TileForm>
  /** The tile's source: a series of metrics names one. */
  source: Source | undefined
  /** The kind has exactly one series. */
  single: boolean
  heatmap: boolean
  /** Columns of the tile's source. */
  columns: readonly Field[]
}

const maxSeries = 20
const levels = quantileLevels.map((level) => ({ value: String(level), label: `p${level * 100}` }))

/** The series of a tile. Formulas refer to them by letter. */
export function SeriesFields({ form, source, single, heatmap, columns }: SeriesFieldsProps) {
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'series' })
  return (
    <div className={css.seriesFields}>
      {fields.map((field, index) => (
        <fieldset key={field.id} className={css.series}>
          <div className={css.header}>
            <Text component="legend" variant="h3" className={css.title}>
              {single ? 'Value' : `Series ${letterOf(index)}`}
            </Text>
            {index === 0 && <ConditionHelp />}
            {fields.length > 1 && (
              <IconButton
                {...hint(`Remove series ${letterOf(index)}`)}
                aria-label={`Remove series ${letterOf(index)}`}
                onClick={() => remove(index)}
              >
                <Trash2 size={14} aria-hidden />
              </IconButton>
            )}
          </div>
          {heatmap ? (
            <ExpressionField
              control={control}
              name={`series.${index}.valueExpression`}
              label="Value"
              fields={columns}
              required
            />
          ) : (
            <OneSeries control={control} index={index} source={source} columns={columns} />
          )}
        </fieldset>
      ))}
      {!single && fields.length < maxSeries && (
        <Button
          onClick={() => append({ ...newSeries })}
          startIcon={<Plus size={14} aria-hidden />}
          className={css.addButton}
        >
          Add series
        </Button>
      )}
    </div>
  )
}

interface OneSeriesProps extends Pick<SeriesFieldsProps, 'source' | 'columns'> {
  control: Control<TileForm>
  index: number
}

function OneSeries({ control, index, source, columns }: OneSeriesProps) {
  const { aggFn, metricType, valueExpression } = useWatch({ control, name: `series.${index}` })
  const metrics = source?.kind === 'metric'
  return (
    <div className={css.fields}>
      <FieldGrid>
        <SelectField
          control={control}
          name={`series.${index}.aggFn`}
          label="Aggregate"
          options={aggregateOptions({ sourceKind: source?.kind, metricType }, aggFn)}
          help={aggregateNote({ sourceKind: source?.kind, metricType }, aggFn)}
          freeText
        />
        {aggFn !== 'count' && (
          <ExpressionField
            control={control}
            name={`series.${index}.valueExpression`}
            label="Field"
            fields={columns}
            required={!metrics}
            help={
              metrics
                ? 'Leave empty for the metric’s value'
                : (textProblem(aggFn, valueExpression) ?? 'A column or expression')
            }
          />
        )}
        {aggFn === 'quantile' && (
          <SelectField control={control} name={`series.${index}.level`} label="Quantile" options={levels} />
        )}
        {metrics && (
          <MetricField
            control={control}
            name={`series.${index}.metricName`}
            sourceId={source.id}
            metricType={metricType}
          />
        )}
        {metrics && (
          <SelectField
            control={control}
            name={`series.${index}.metricType`}
            label="Metric type"
            options={metricTypeOptions(source)}
            required
          />
        )}
        <TextField control={control} name={`series.${index}.alias`} label="Alias" />
      </FieldGrid>
      <ConditionFields
        control={control}
        name={`series.${index}.where`}
        languageName={`series.${index}.whereLanguage`}
        label="Condition"
        fields={columns}
      />
    </div>
  )
}
