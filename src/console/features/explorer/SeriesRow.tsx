import { Copy, Trash2 } from 'lucide-react'
import type { Source } from '#contract/sources.ts'
import { aggregateNote, aggregateOptions } from '#console/telemetry/aggregates.ts'
import { metricTypeOptions } from '#console/telemetry/metricTypes.ts'
import { seriesName } from '#console/telemetry/seriesNames.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { SuggestInput } from '#console/ui/suggest/SuggestInput.tsx'
import { languages } from '#console/telemetry/conditions/conditions.ts'
import { completions, type Field, fieldsFor } from '#console/telemetry/fields.ts'
import { isChartable, needsField } from './query.ts'
import { namedSeries } from './lines.ts'
import type { Letter, SeriesState } from './state.ts'
import { ConditionInput } from '#console/ui/suggest/ConditionInput.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import css from './SeriesRow.module.css'

// It reads dashboards, which a page of logs and traces does without.
const MetricInput = lazyComponent(async () => (await import('#console/shell/telemetry/MetricInput.tsx')).MetricInput)

interface SeriesRowProps {
  letter: Letter
  series: SeriesState
  sources: readonly Source[]
  /** Columns of the series' source. */
  fields: readonly Field[]
  /** What is wrong, by the name of the field. */
  problems: Record<string, string | undefined>
  onChange: (change: Partial<SeriesState>) => void
  onRun: () => void
  onDuplicate: (() => void) | undefined
  onRemove: (() => void) | undefined
}

/** One series: of which source, which aggregate, of which records. */
export function SeriesRow(props: SeriesRowProps) {
  const { letter, series, sources, fields, problems, onChange, onRun, onDuplicate, onRemove } = props
  const source = sources.find(({ id }) => id === series.sourceId)
  const metric = source?.kind === 'metric'
  return (
    <fieldset className={css.seriesRow}>
      <legend className={css.legend}>{letter}</legend>
      {/* On a phone the fields have a line of their own, under the letter and the buttons. */}
      <div className={css.fields}>
        <SelectInput
          label="Source"
          value={series.sourceId}
          options={sources.filter(isChartable).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(sourceId) => onChange({ sourceId })}
          error={problems.sourceId}
          minWidth={96}
        />
        <SelectInput
          label="Aggregate"
          value={series.aggFn}
          options={aggregateOptions({ sourceKind: source?.kind, metricType: series.metricType }, series.aggFn)}
          onChange={(aggFn) => onChange({ aggFn })}
          error={problems.aggFn}
          help={aggregateNote({ sourceKind: source?.kind, metricType: series.metricType }, series.aggFn)}
          minWidth={112}
        />
        {series.aggFn === 'quantile' && (
          <LevelField level={series.level} error={problems.level} onChange={(level) => onChange({ level })} />
        )}
        {!metric && needsField(series) && (
          <div className={css.field}>
            <SuggestInput
              label="Field"
              value={series.field}
              suggestions={fieldsFor(series.aggFn, fields)}
              onChange={(field) => onChange({ field })}
              error={problems.field}
            />
          </div>
        )}
        {metric && (
          <SelectInput
            label="Metric type"
            value={series.metricType}
            options={metricTypeOptions(source)}
            onChange={(metricType) => onChange({ metricType })}
            error={problems.metricDataType}
            minWidth={120}
          />
        )}
        {metric && (
          <div className={css.metric}>
            <MetricInput
              sourceId={series.sourceId}
              metricType={series.metricType}
              value={series.metricName}
              onChange={(metricName) => onChange({ metricName })}
              error={problems.metricName}
            />
          </div>
        )}
        <SelectInput
          label="Language"
          value={series.whereLanguage}
          options={languages}
          onChange={(whereLanguage) => onChange({ whereLanguage })}
          error={problems.whereLanguage}
          minWidth={104}
        />
        <div className={css.condition}>
          <ConditionInput
            label="Condition"
            value={series.where}
            placeholder={series.whereLanguage === 'lucene' ? 'e.g. SeverityText:error' : 'e.g. Duration > 1e9'}
            complete={(typed, cursor) => completions(typed, cursor, fields, series.whereLanguage)}
            error={problems.where}
            onChange={(where) => onChange({ where })}
            onEnter={onRun}
          />
        </div>
        <TextInput
          label="Alias"
          value={series.alias}
          placeholder={seriesName({ ...namedSeries(series), alias: '' })}
          onChange={(alias) => onChange({ alias })}
          className={css.alias}
        />
      </div>
      <div className={css.actions}>
        {onDuplicate && (
          <IconButton aria-label={`Duplicate series ${letter}`} onClick={onDuplicate}>
            <Copy size={15} aria-hidden />
          </IconButton>
        )}
        {onRemove && (
          <IconButton aria-label={`Remove series ${letter}`} onClick={onRemove}>
            <Trash2 size={15} aria-hidden />
          </IconButton>
        )}
      </div>
    </fieldset>
  )
}

interface LevelFieldProps {
  level: number
  error: string | undefined
  onChange: (level: number) => void
}

const levels = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999]

function LevelField({ level, error, onChange }: LevelFieldProps) {
  const all = levels.includes(level) ? levels : [...levels, level].toSorted((a, b) => a - b)
  return (
    <SelectInput
      label="Quantile"
      value={String(level)}
      options={all.map((one) => ({ value: String(one), label: `p${Math.round(one * 1000) / 10}` }))}
      onChange={(chosen) => onChange(Number(chosen))}
      error={error}
      minWidth={84}
    />
  )
}
