import { Copy, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { ConditionHelp } from '#console/charting/conditions/ConditionHelp.tsx'
import type { Field } from '#console/charting/fields.ts'
import { GroupByInput } from '#console/charting/queryBuilder/GroupByInput.tsx'
import { QueryRow } from '#console/charting/queryBuilder/QueryRow.tsx'
import { seriesName } from '#console/charting/series/seriesNames.ts'
import { droppedText, forSource } from '#console/charting/sourceChange.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as base from '#console/ui/base/base.module.css'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Kbd } from '#console/ui/base/Kbd.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { maxGroupBy, maxSeries } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { namedSeries } from './lines.ts'
import { isChartable } from './query.ts'
import { letters, type SeriesState } from './state.ts'
import type { Explorer, Draft } from './useExplorer.ts'
import * as css from './explorer.module.css'

/** Quantiles that are offered. */
const levels = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999]

interface QueryPanelProps {
  explorer: Explorer
  sources: readonly Source[]
  fieldsOf: (sourceId: string) => Field[]
  /** A field of the query was focused: suggestions are needed. */
  onActivate: () => void
  /** The errors, by path: `series.0.where`. */
  problems: Record<string, string>
  onRun: () => void
}

/** The query: one row for each series, then the grouping that all share and a formula over them. */
export function QueryPanel({ explorer, sources, fieldsOf, problems, onRun, onActivate }: QueryPanelProps) {
  const { series: all } = explorer.draft
  const titleId = useId()
  const { change, add, remove, isFull } = useSeriesEdits(explorer, sources)
  const sourceOptions = sources.filter(isChartable).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <section aria-labelledby={titleId} className={base.card}>
      <VisuallyHidden id={titleId}>Query</VisuallyHidden>
      <div onFocus={onActivate} className={css.query}>
        {all.map((series, at) => {
          const letter = letters[at] ?? 'E'
          const own = problemsAt(problems, at)
          return (
            <QueryRow
              // Series have no identity besides their letter.
              // oxlint-disable-next-line react/no-array-index-key
              key={at}
              letter={letter}
              values={series}
              source={sources.find(({ id }) => id === series.sourceId)}
              sourceSelect={
                <SelectInput
                  label="Source"
                  hiddenLabel
                  value={series.sourceId}
                  options={sourceOptions}
                  onChange={(sourceId) => change(at, { sourceId })}
                  error={own.sourceId}
                  minWidth={96}
                />
              }
              fields={fieldsOf(series.sourceId)}
              levels={levels}
              problems={own}
              name={seriesName({ ...namedSeries(series), alias: '' })}
              onChange={(changed) => change(at, changed)}
              onRun={onRun}
            >
              {!isFull && (
                <IconButton aria-label={`Duplicate series ${letter}`} onClick={() => add(series)}>
                  <Copy size={15} aria-hidden />
                </IconButton>
              )}
              {all.length > 1 && (
                <IconButton aria-label={`Remove series ${letter}`} onClick={() => remove(at)}>
                  <Trash2 size={15} aria-hidden />
                </IconButton>
              )}
            </QueryRow>
          )
        })}
        <SharedFields explorer={explorer} fields={fieldsOf(all[0]?.sourceId ?? '')} problems={problems} onRun={onRun}>
          <Button startIcon={<Plus size={15} aria-hidden />} disabled={isFull} onClick={() => add(all.at(-1))}>
            {isFull ? `At most ${maxSeries} series` : 'Add series'}
          </Button>
        </SharedFields>
      </div>
    </section>
  )
}

interface SeriesEdits {
  /** With another source, what of the query that source lacks is removed, which can be undone. */
  change: (at: number, change: Partial<SeriesState>) => void
  /** Adds a copy of a series. */
  add: (like: SeriesState | undefined) => void
  remove: (at: number) => void
  isFull: boolean
}

/** The edits of the series of the draft. */
function useSeriesEdits({ draft, editDraft }: Explorer, sources: readonly Source[]): SeriesEdits {
  const { series } = draft
  const changeSource = (at: number, sourceId: string) => {
    const { part, dropped } = withSource(draft, at, sourceId, sources)
    editDraft(part)
    if (dropped.length === 0) return
    const undo = { label: 'Undo', run: () => editDraft((now) => withFormerSource(now, at, draft, sourceId)) }
    toast({ tone: 'ok', text: droppedText(dropped, sources, sourceId), action: undo })
  }
  return {
    change: (at, change) => {
      if (change.sourceId !== undefined) changeSource(at, change.sourceId)
      else editDraft({ series: series.map((state, index) => (index === at ? { ...state, ...change } : state)) })
    },
    add: (like) => like && editDraft({ series: [...series, { ...like, alias: '' }] }),
    remove: (at) => editDraft({ series: series.filter((_, index) => index !== at) }),
    isFull: series.length >= maxSeries,
  }
}

interface SharedFieldsProps extends Pick<QueryPanelProps, 'explorer' | 'problems' | 'onRun'> {
  /** The fields that series can be grouped by. */
  fields: readonly Field[]
  /** After the fields. */
  children: ReactNode
}

/** The grouping and the formula of all series, and the button that runs the query. */
function SharedFields({ explorer, fields, problems, onRun, children }: SharedFieldsProps) {
  const { draft, dirty, editDraft } = explorer
  return (
    <div className={css.queryOptions}>
      <GroupByInput
        names={draft.groupBy}
        fields={fields}
        error={groupProblem(problems)}
        onChange={(names) => editDraft({ groupBy: names.slice(0, maxGroupBy) })}
      />
      <TextInput
        label="Formula"
        hiddenLabel
        value={draft.formula}
        placeholder="Formula, e.g. A / B * 100"
        error={problems.formula}
        mono
        onChange={(formula) => editDraft({ formula })}
        className={css.formula}
      />
      {children}
      <div className={css.queryActions}>
        <Text variant="caption" color="textSecondary" aria-live="polite">
          {dirty ? 'Changed since the last run · ' : ''}
          <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd>
        </Text>
        <Button variant={dirty ? 'contained' : 'outlined'} color={dirty ? 'primary' : 'inherit'} onClick={onRun}>
          Run
        </Button>
        <ConditionHelp />
      </div>
    </div>
  )
}

/** The problems of one series, by field. */
function problemsAt(problems: Record<string, string>, at: number): Record<string, string> {
  const prefix = `series.${at}.`
  const own = Object.entries(problems).filter(([path]) => path.startsWith(prefix))
  return Object.fromEntries(own.map(([path, message]) => [path.slice(prefix.length).split('.')[0] ?? '', message]))
}

function groupProblem(problems: Record<string, string>): string | undefined {
  return Object.entries(problems).find(([path]) => /^series\.\d+\.groupBy/.test(path))?.[1]
}

/** A draft with another source for one of its series, and what of it the new source lacks. */
function withSource(
  { series, groupBy }: Draft,
  at: number,
  sourceId: string,
  sources: readonly Source[],
): { part: Partial<Draft>; dropped: string[] } {
  const moved = series[at]
  if (!moved) return { part: {}, dropped: [] }
  const sourceOf = (id: string) => sources.find((source) => source.id === id)
  const { query, dropped } = forSource({ ...moved, groupBy }, sourceOf(moved.sourceId), sourceOf(sourceId))
  const { field, where } = query
  // Groups are those of all series: a name that only this source has is none of the others.
  const groups = series.length === 1 ? query.groupBy : groupBy.filter((name) => query.groupBy.includes(name))
  const lost = series.length === 1 ? [] : groupBy.filter((name) => !groups.includes(name))
  return {
    part: {
      series: series.map((seriesState, index) =>
        index === at ? { ...seriesState, sourceId, field, where } : seriesState,
      ),
      groupBy: [...groups],
    },
    dropped: [...new Set([...lost, ...dropped])],
  }
}

/**
 * Takes the change of a series to a source back, and keeps what was edited since. Changes nothing once a series was
 * removed, or the series is of another source: its position may be that of another series.
 */
export function withFormerSource({ series }: Draft, at: number, former: Draft, sourceId: string): Partial<Draft> {
  const before = former.series[at]
  if (!before || series.length < former.series.length || series[at]?.sourceId !== sourceId) return {}
  const { field, where } = before
  return {
    series: series.map((seriesState, index) =>
      index === at ? { ...seriesState, sourceId: before.sourceId, field, where } : seriesState,
    ),
    groupBy: former.groupBy,
  }
}
