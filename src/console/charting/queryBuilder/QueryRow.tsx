import type { ReactNode } from 'react'
import { aggregateNote, aggregateOptions, aggregateValue, fieldWithAggregate } from '#console/charting/aggregates.ts'
import type { Language } from '#console/charting/conditions/conditions.ts'
import { completions, type Field, fieldsFor, textProblem } from '#console/charting/fields.ts'
import { metricTypeOptions } from '#console/charting/metricTypes.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { SuggestInput } from '#console/ui/suggest/SuggestInput.tsx'
import type { AggFn } from '#contract/stack/charts.ts'
import type { MetricType, Source } from '#contract/stack/sources.ts'
import { ConditionRow } from './ConditionRow.tsx'
import * as css from '../charting.module.css'

// It reads dashboards, which a page of logs and traces does without.
const MetricInput = lazyComponent(async () => (await import('./MetricInput.tsx')).MetricInput)

/** A series as it is edited. Aggregate and types may be ones that the console does not know. */
export interface QueryRowValues {
  aggFn: string
  field: string
  /** Quantile, 0 to 1; null if none is set. */
  level: number | null
  metricName: string
  metricType: string
  where: string
  whereLanguage: string
  alias: string
}

/** The change handler of a row. */
export interface QueryRowChange extends Partial<Pick<QueryRowValues, 'field' | 'metricName' | 'where' | 'alias'>> {
  aggFn?: AggFn
  level?: number
  metricType?: MetricType
  whereLanguage?: Language
}

interface QueryRowProps {
  /** How formulas call the series. */
  letter: string
  values: QueryRowValues
  source: Source | undefined
  /** The choice of the source, where each series has one. */
  sourceSelect?: ReactNode
  /** Columns of the source. */
  fields: readonly Field[]
  /** Quantiles that are offered, 0 to 1. */
  levels: readonly number[]
  /** Whether a series of metrics may name a field besides the value of the metric. */
  metricField?: boolean
  /** The errors, by the name of the field. */
  problems: Record<string, string | undefined>
  /** The name of the series without an alias. */
  name: string
  onChange: (change: QueryRowChange) => void
  /** Enter in the condition. */
  onRun?: () => void
  /** Buttons at the end of the row. */
  children?: ReactNode
}

/** One series: which aggregate of which field, of which records, under which name. */
export function QueryRow(props: QueryRowProps) {
  const { letter, values, source, sourceSelect, fields, metricField = false, problems, name } = props
  const { onChange, onRun, children } = props
  const metricSource = source?.kind === 'metric' ? source : undefined
  return (
    <fieldset className={css.queryRow}>
      <legend className={css.letter}>{letter}</legend>
      <div className={css.queryFields}>
        {sourceSelect}
        <AggregateSelect {...props} />
        {metricSource && <MetricFields source={metricSource} {...{ values, problems, onChange }} />}
        {values.aggFn !== 'count' && (!metricSource || metricField) && (
          <div className={css.queryField}>
            <SuggestInput
              label="Field"
              hiddenLabel
              value={values.field}
              placeholder={metricSource ? 'Value of the metric' : 'Choose a field'}
              suggestions={fieldsFor(values.aggFn, fields)}
              onChange={(field) => onChange({ field })}
              error={problems.field}
              help={textProblem(values.aggFn, values.field)}
            />
          </div>
        )}
        <ConditionRow
          where={values.where}
          language={values.whereLanguage}
          complete={(typed, cursor) =>
            completions(typed, cursor, fields, values.whereLanguage === 'sql' ? 'sql' : 'lucene')
          }
          error={problems.where ?? problems.whereLanguage}
          onChange={(where) => onChange({ where })}
          onLanguage={(whereLanguage) => onChange({ whereLanguage })}
          onEnter={onRun}
        />
        <div className={css.alias}>
          <span aria-hidden className={css.word}>
            as
          </span>
          <TextInput
            label="Alias"
            hiddenLabel
            value={values.alias}
            placeholder={name}
            onChange={(alias) => onChange({ alias })}
            className={css.queryWide}
          />
        </div>
      </div>
      {children && <div className={css.queryActions}>{children}</div>}
    </fieldset>
  )
}

type AggregateSelectProps = Pick<QueryRowProps, 'values' | 'source' | 'levels' | 'problems' | 'onChange'>

/** The aggregate function, with its quantile. A field that the chosen one cannot read is changed as well. */
function AggregateSelect({ values, source, levels, problems, onChange }: AggregateSelectProps) {
  const aggregated = { sourceKind: source?.kind, metricType: values.metricType }
  const options = aggregateOptions(aggregated, values, levels)
  const choose = (value: string) => {
    const chosen = options.find((option) => option.value === value)?.chosen
    if (!chosen) return
    const field = fieldWithAggregate(chosen.aggFn, values.field, source)
    onChange({ ...chosen, ...(field !== values.field && { field }) })
  }
  return (
    <SelectInput
      label="Aggregate"
      hiddenLabel
      value={aggregateValue(values.aggFn, values.level)}
      options={options}
      onChange={choose}
      error={problems.aggFn ?? problems.level}
      help={aggregateNote(aggregated, values.aggFn)}
      minWidth={104}
    />
  )
}

interface MetricFieldsProps extends Pick<QueryRowProps, 'values' | 'problems' | 'onChange'> {
  /** A source of metrics. */
  source: Source
}

function MetricFields({ source, values, problems, onChange }: MetricFieldsProps) {
  return (
    <>
      <SelectInput
        label="Metric type"
        hiddenLabel
        value={values.metricType}
        options={metricTypeOptions(source)}
        // The options are types.
        onChange={(metricType) => onChange({ metricType: metricType as MetricType })}
        error={problems.metricDataType}
        minWidth={104}
      />
      <div className={css.queryField}>
        <MetricInput
          sourceId={source.id}
          metricType={values.metricType}
          value={values.metricName}
          onChange={(metricName) => onChange({ metricName })}
          error={problems.metricName}
        />
      </div>
    </>
  )
}
