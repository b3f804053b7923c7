import { useCallback, useMemo, useState } from 'react'
import type { ExplainedChart, Subject, ValueRange } from '#console/charting/explanation/question.ts'
import type { ChartExplain } from '#console/ui/series/chartEvents.ts'
import type { Span } from '#domain/time/span.ts'

/** A question about a part of the chart as it was. */
export interface Asked extends Pick<ExplainedChart, 'range' | 'subjects'> {
  inside: Span
  /** The values of the part, where the chart is a heatmap. */
  values?: ValueRange | undefined
}

export interface ChartExplanation {
  /** The property of a chart that lets people select a part to explain. */
  explain: ChartExplain | undefined
  /** Explains a part of a heatmap. */
  ask: (inside: Span, values?: ValueRange) => void
  problem: string | undefined
  choosing: boolean
  asked: Asked | null
  /** Whether the chart has other rows now than when it was asked about. */
  isOutdated: boolean
  /** The next range that is selected in the chart is explained. */
  choose: () => void
  /** Asks about the same part of the chart as it is now. */
  again: () => void
  close: () => void
}

/**
 * The state of "Explain this" of one chart. What it shows is `ExplainView`, which is loaded with the first use.
 * @param chart undefined while it is not drawn
 */
export function useChartExplain(chart: ExplainedChart | undefined): ChartExplanation {
  const [choosing, setChoosing] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const problem = chart ? chart.problem : 'There is no chart yet.'
  const range = chart?.range
  const subjects = chart?.subjects
  const ask = useCallback(
    (inside: Span, values?: ValueRange) => {
      if (problem !== undefined || !range || !subjects) return
      setChoosing(false)
      setAsked({ inside, range, subjects, values })
    },
    [problem, range, subjects],
  )
  const explain = useMemo<ChartExplain | undefined>(() => {
    if (problem !== undefined) return undefined
    return { span: asked?.inside ?? null, choosing, run: (inside) => ask(inside), cancel: () => setChoosing(false) }
  }, [problem, ask, asked, choosing])
  return {
    explain,
    ask,
    problem,
    choosing,
    asked,
    isOutdated: asked !== null && subjects !== undefined && conditionsOf(asked.subjects) !== conditionsOf(subjects),
    choose: () => setChoosing(true),
    again: () => asked && ask(asked.inside, asked.values),
    close: () => {
      setChoosing(false)
      setAsked(null)
    },
  }
}

const conditionsOf = (subjects: readonly Subject[]): string =>
  JSON.stringify(subjects.map(({ source, series }) => [source.id, series]))
