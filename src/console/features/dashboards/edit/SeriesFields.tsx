import { Plus, Trash2 } from 'lucide-react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { ConditionHelp } from '#console/charting/conditions/ConditionHelp.tsx'
import { QueryRow, type QueryRowChange, type QueryRowValues } from '#console/charting/queryBuilder/QueryRow.tsx'
import type { Field } from '#console/charting/fields.ts'
import { letterOf, seriesName } from '#console/charting/series/seriesNames.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import type { Source } from '#contract/stack/sources.ts'
import { quantileLevels } from '#contract/stack/dashboards/tileParts.ts'
import { ExpressionField } from './ExpressionField.tsx'
import * as css from '../dashboards.module.css'
import { newSeries, type TileForm } from './tileForm.ts'

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

type SeriesForm = TileForm['series'][number]

const maxSeries = 20

/** The series of a tile. Formulas refer to them by letter. */
export function SeriesFields({ form, source, single, heatmap, columns }: SeriesFieldsProps) {
  const { control } = form
  const series = useWatch({ control, name: 'series' })
  const setSeries = (next: SeriesForm[]) => form.setValue('series', next, { shouldDirty: true })
  if (heatmap) {
    return <ExpressionField control={control} name="series.0.valueExpression" label="Value" fields={columns} required />
  }
  return (
    <fieldset className={css.seriesFields}>
      <div className={css.seriesHeader}>
        <legend className={css.seriesTitle}>{single ? 'Value' : 'Series'}</legend>
        <ConditionHelp />
      </div>
      {series.map((item, index) => (
        <QueryRow
          // Series have no identity besides their letter.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          letter={letterOf(index)}
          values={rowOf(item)}
          source={source}
          fields={columns}
          levels={quantileLevels}
          metricField
          problems={noProblems}
          name={nameOf(item)}
          onChange={(change) => setSeries(series.map((now, at) => (at === index ? withChange(now, change) : now)))}
        >
          {series.length > 1 && (
            <IconButton
              {...hint(`Remove series ${letterOf(index)}`)}
              aria-label={`Remove series ${letterOf(index)}`}
              onClick={() => setSeries(series.filter((_, at) => at !== index))}
            >
              <Trash2 size={14} aria-hidden />
            </IconButton>
          )}
        </QueryRow>
      ))}
      {!single && series.length < maxSeries && (
        <Button
          onClick={() => setSeries([...series, { ...newSeries }])}
          startIcon={<Plus size={14} aria-hidden />}
          className={css.addButton}
        >
          Add series
        </Button>
      )}
    </fieldset>
  )
}

/** The preview says what the deployment refuses. */
const noProblems = {}

const rowOf = ({ valueExpression: field, level, ...one }: SeriesForm): QueryRowValues => ({
  ...one,
  field,
  level: level === '' ? null : Number(level),
})

/** The name of the series without an alias. */
function nameOf({ level, ...one }: SeriesForm): string {
  return seriesName({ ...one, alias: '', ...(level !== '' && { level: Number(level) }) })
}

function withChange(series: SeriesForm, { field, level, ...change }: QueryRowChange): SeriesForm {
  return {
    ...series,
    ...change,
    ...(field !== undefined && { valueExpression: field }),
    ...(level !== undefined && { level: String(level) }),
  }
}
