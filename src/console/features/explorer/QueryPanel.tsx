import { Plus } from 'lucide-react'
import { maxGroupBy, maxSeries } from '#contract/charts.ts'
import type { Source } from '#contract/sources.ts'
import { Kbd } from '#console/ui/base/Kbd.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { type Field, groupFields } from '#console/telemetry/fields.ts'
import { ConditionHelp } from '#console/shell/telemetry/ConditionHelp.tsx'
import { droppedText } from '#console/telemetry/sourceChange.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { SeriesRow } from './SeriesRow.tsx'
import { letters, type SeriesState } from './state.ts'
import type { Explorer } from './useExplorer.ts'
import { withFormerSource, withSource } from './withSource.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { NamesInput } from '#console/ui/suggest/NamesInput.tsx'
import css from './QueryPanel.module.css'

interface QueryPanelProps {
  explorer: Explorer
  sources: readonly Source[]
  fieldsOf: (sourceId: string) => Field[]
  /** A field of the query was focused: suggestions are needed. */
  onActivate: () => void
  /** What is wrong, by path: `series.0.where`. */
  problems: Record<string, string>
  onRun: () => void
}

/** The question: one row a series, the grouping that all share, a formula over them. */
export function QueryPanel({ explorer, sources, fieldsOf, problems, onRun, onActivate }: QueryPanelProps) {
  const { draft, dirty, editDraft } = explorer
  const setSeries = (at: number, change: Partial<SeriesState>) => {
    const { sourceId } = change
    if (sourceId === undefined) {
      editDraft({ series: draft.series.map((one, index) => (index === at ? { ...one, ...change } : one)) })
      return
    }
    const { part, dropped } = withSource(draft, at, sourceId, sources)
    editDraft(part)
    if (dropped.length === 0) return
    const undo = { label: 'Undo', run: () => editDraft((now) => withFormerSource(now, at, draft)) }
    toast({ tone: 'ok', text: droppedText(dropped, sources, sourceId), action: undo })
  }
  const add = (like: SeriesState | undefined) =>
    like && editDraft({ series: [...draft.series, { ...like, alias: '' }] })
  const full = draft.series.length >= maxSeries
  return (
    <Panel title="Query" aside={<ConditionHelp />}>
      <div onFocus={onActivate} className={css.query}>
        {draft.series.map((series, at) => (
          <SeriesRow
            // Series have no identity besides their letter.
            // oxlint-disable-next-line react/no-array-index-key
            key={at}
            letter={letters[at] ?? 'E'}
            series={series}
            sources={sources}
            fields={fieldsOf(series.sourceId)}
            problems={problemsAt(problems, at)}
            onChange={(change) => setSeries(at, change)}
            onRun={onRun}
            onDuplicate={full ? undefined : () => add(series)}
            onRemove={
              draft.series.length > 1
                ? () => editDraft({ series: draft.series.filter((_, index) => index !== at) })
                : undefined
            }
          />
        ))}
        <div className={css.options}>
          <NamesInput
            label="Group by"
            names={draft.groupBy}
            suggestions={groupFields(fieldsOf(draft.series[0]?.sourceId ?? ''))}
            placeholder="None"
            error={groupProblem(problems)}
            onChange={(names) => editDraft({ groupBy: names.slice(0, maxGroupBy) })}
            className={css.groupBy}
          />
          <TextInput
            label="Formula"
            value={draft.formula}
            placeholder="e.g. A / B * 100"
            error={problems.formula}
            mono
            onChange={(formula) => editDraft({ formula })}
            className={css.formula}
          />
          <div className={css.actions}>
            <Button startIcon={<Plus size={15} aria-hidden />} disabled={full} onClick={() => add(draft.series.at(-1))}>
              {full ? `At most ${maxSeries} series` : 'Add series'}
            </Button>
            <Button variant={dirty ? 'contained' : 'outlined'} color={dirty ? 'primary' : 'inherit'} onClick={onRun}>
              Run
            </Button>
            <Text variant="caption" color="textSecondary" aria-live="polite">
              {dirty ? 'Changed since the last run · ' : ''}
              <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd>
            </Text>
          </div>
        </div>
      </div>
    </Panel>
  )
}

/** Problems of one series by the name of their field. A map of the grouping is the page's, not the row's. */
function problemsAt(problems: Record<string, string>, at: number): Record<string, string> {
  const prefix = `series.${at}.`
  const own = Object.entries(problems).filter(([path]) => path.startsWith(prefix))
  return Object.fromEntries(own.map(([path, message]) => [path.slice(prefix.length).split('.')[0] ?? '', message]))
}

function groupProblem(problems: Record<string, string>): string | undefined {
  return Object.entries(problems).find(([path]) => /^series\.\d+\.groupBy/.test(path))?.[1]
}
