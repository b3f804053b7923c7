import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { queryClient } from '#console/api/queryClient.ts'
import { automaticUnit, type MetricUnits } from '#domain/series/seriesUnits.ts'
import { explain } from '#console/charting/explanation/explain.ts'
import type { Explanation, Subject } from '#console/charting/explanation/question.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Progress } from '#console/ui/base/Progress.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { counted } from '#domain/text/words.ts'
import type { Zone } from '#domain/time/zone.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { AttributeItem } from './AttributeItem.tsx'
import { measureText, readText, rowName } from './explanationText.ts'
import { type ExplainFilters, useValueActions } from './useValueActions.ts'
import type { Asked } from './useChartExplain.ts'
import * as css from './explanation.module.css'

interface ExplanationProps {
  connectionId: string
  asked: Asked
  zone: Zone
  filters: ExplainFilters | undefined
}

interface ExplanationBodyProps extends ExplanationProps {
  /** The panel around it. */
  panel: RefObject<HTMLElement | null>
}

const noMetricUnits: MetricUnits = new Map()

/** Attributes that are shown at first. */
const firstShown = 6

/** The attributes of one series, or of the one that is chosen of several. */
export function ExplanationBody({ connectionId, asked, zone, filters, panel }: ExplanationBodyProps) {
  const [index, setIndex] = useState(0)
  const { subjects } = asked
  const subject = subjects[index]
  const explanation = useExplanation(connectionId, asked, subject)
  const { data, error, isFetching, isStopped } = explanation
  const isRead = data !== undefined || error !== null
  useEffect(() => {
    // Only while the focus is in the panel: otherwise the person has gone on to another part of the page.
    if (isRead && panel.current?.contains(document.activeElement)) panel.current.scrollIntoView({ block: 'nearest' })
  }, [isRead, panel])
  if (!subject) return null
  // The buttons disappear when they are pressed, and the panel keeps the focus.
  const keepingFocus = (run: () => void) => () => {
    panel.current?.focus({ preventScroll: true })
    run()
  }
  return (
    <>
      {subjects.length > 1 && (
        <SelectInput
          label="Series"
          hiddenLabel
          value={String(index)}
          options={subjects.map(({ label }, at) => ({ value: String(at), label }))}
          onChange={(chosen) => setIndex(Number(chosen))}
        />
      )}
      {isFetching && <Reading progress={explanation.progress} onStop={keepingFocus(explanation.stop)} />}
      {isStopped && !data && (
        <div className={css.reading} role="status">
          <span>Stopped before all rows were read.</span>
          <Button size="small" onClick={keepingFocus(explanation.readOn)}>
            Read them
          </Button>
        </div>
      )}
      {error && !isFetching && !isStopped && <QueryError error={error} onRetry={keepingFocus(explanation.readAgain)} />}
      {data && <Found {...{ connectionId, data, subject, asked, zone, filters }} />}
    </>
  )
}

/** Requests that were answered, of all; none until the rows are counted. */
interface ReadProgress {
  done: number
  all: number
}

/** The explanation of a series. Reading its rows can be stopped, and continued. */
function useExplanation(connectionId: string, { inside, range, values }: Asked, subject: Subject | undefined) {
  const [isStopped, setStopped] = useState(false)
  const [progress, setProgress] = useState<ReadProgress>({ done: 0, all: 0 })
  const queryKey = [
    connectionId,
    'search',
    'explain',
    inside,
    values,
    range,
    subject?.source.id,
    subject?.series,
  ] as const
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      if (!subject) throw new RangeError('there is no series')
      setProgress({ done: 0, all: 0 })
      const onProgress = (done: number, all: number) => setProgress({ done, all })
      return explain(connectionId, { inside, values, range, subject }, { signal, onProgress })
    },
    enabled: subject !== undefined && !isStopped,
    staleTime: Infinity,
    retry: false,
  })
  return {
    data,
    error,
    isFetching,
    progress,
    isStopped,
    stop: () => {
      setStopped(true)
      void queryClient.cancelQueries({ queryKey })
    },
    readOn: () => setStopped(false),
    readAgain: () => void refetch(),
  }
}

function Reading({ progress: { done, all }, onStop }: { progress: ReadProgress; onStop: () => void }) {
  return (
    <div className={css.reading} role="status">
      <Progress aria-label="Reading rows" share={all === 0 ? undefined : done / all} className={css.progress} />
      <span>{all === 0 ? 'Counting rows…' : `Reading rows: ${done} of ${all} requests.`}</span>
      <Button size="small" onClick={onStop}>
        Stop
      </Button>
    </div>
  )
}

interface FoundProps extends ExplanationProps {
  data: Explanation
  subject: Subject
}

function Found({ connectionId, data, subject, asked, zone, filters }: FoundProps) {
  const [all, setAll] = useState(false)
  const actions = useValueActions({ connectionId, subject, asked, zone, filters })
  const unitOf = (attribute: string) =>
    automaticUnit({ aggFn: 'avg', valueExpression: attribute }, subject.source, noMetricUnits)
  const { ranked, read } = data
  const empty = emptyOf(data)
  if (empty) {
    return (
      <EmptyState icon={SearchX} title={empty.title}>
        {empty.text}
      </EmptyState>
    )
  }
  const shown = all ? ranked : ranked.slice(0, firstShown)
  return (
    <>
      <Text variant="caption" color="textSecondary" component="p">
        {readText(data)}
      </Text>
      <div className={css.key} aria-hidden>
        <span data-side="inside">In the selection</span>
        <span data-side="outside">In the rest of the chart</span>
      </div>
      <ol className={css.attributes}>
        {shown.map((attribute) => (
          <AttributeItem key={attribute.attribute} {...{ attribute, totals: read, actions, unitOf }} />
        ))}
      </ol>
      {ranked.length > firstShown && (
        <Button size="small" className={css.more} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `Show the first ${firstShown}` : `Show all ${counted(ranked.length, 'attribute')}`}
        </Button>
      )}
      <Text variant="caption" color="textSecondary" component="p">
        {measureText(data)}
      </Text>
    </>
  )
}

/** Why nothing can be compared, or nothing differs; null if something does. */
function emptyOf({ ranked, total, attributes, way }: Explanation): { title: string; text: string } | null {
  const rows = `${rowName(way)}s`
  if (total.inside === 0) {
    return { title: `No ${rows} in the selection`, text: 'Select a range that contains data.' }
  }
  if (total.outside === 0) {
    return {
      title: 'Nothing to compare with',
      text: `All ${rows} of the chart are in the selection. Select less of it, or a longer time range for the chart.`,
    }
  }
  if (ranked.length > 0) return null
  return {
    title: 'No attribute differs',
    text: `${counted(attributes, 'attribute')} of the ${rows} in the selection and in the rest of the chart were compared: none differs by more than chance. Select another part, or a longer one.`,
  }
}
