/** The source of a tile, and the parts of its query that go with it. */
import { useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { droppedText, forSource } from '#console/charting/sourceChange.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import type { Source } from '#contract/stack/sources.ts'
import { sameJson } from '#domain/json/json.ts'
import type { TileForm } from './tileForm.ts'

/** The fields that a change of source may change. */
type TileQuery = Pick<TileForm, 'series' | 'groupBy' | 'where' | 'sourceId'>

interface SourceChange {
  /** Called after the choice: the form has the new source by then. */
  pickSource: (sourceId: string) => void
  /** The parts of the query that the last change of source removed; undefined if none, or once the query is edited further. */
  removed: string | undefined
  /** Takes the last change of source back. */
  undo: () => void
}

/** Fits the query of a tile to another source: what the source lacks is removed, and can be brought back. */
export function useSourceChange(form: UseFormReturn<TileForm>, sources: readonly Source[] = []): SourceChange {
  const [change, setChange] = useState<{ text: string; before: TileQuery; after: TileQuery } | null>(null)
  const [series, groupBy, where, sourceId] = useWatch({
    control: form.control,
    name: ['series', 'groupBy', 'where', 'sourceId'],
  })
  const isUnedited = change !== null && sameJson({ series, groupBy, where, sourceId }, change.after)
  const setQuery = (query: Partial<TileQuery>) => {
    for (const [name, value] of Object.entries(query)) {
      // The names are those of the form.
      form.setValue(name as keyof TileQuery, value, { shouldDirty: true })
    }
  }
  const pickSource = (picked: string) => {
    const before = form.getValues()
    const { values, dropped } = tileOnSource(before, sourceId, picked, sources)
    setQuery(values)
    if (dropped.length === 0) return
    const query = { series: before.series, groupBy: before.groupBy, where: before.where }
    setChange({
      text: droppedText(dropped, sources, picked),
      before: { ...query, sourceId },
      after: { ...values, sourceId: picked },
    })
  }
  const undo = () => {
    if (change) setQuery(change.before)
    setChange(null)
  }
  return { pickSource, removed: isUnedited ? change.text : undefined, undo }
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
