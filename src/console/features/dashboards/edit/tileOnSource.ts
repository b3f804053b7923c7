import { splitExpressions } from '#contract/expressionLists.ts'
import type { Source } from '#contract/sources.ts'
import { forSource } from '#console/telemetry/sourceChange.ts'
import type { TileForm } from './tileForm.ts'

/** The fields of a tile that change with its source, and what of its query the new source lacks. */
export function tileOnSource(
  form: TileForm,
  fromId: string,
  toId: string,
  sources: readonly Source[],
): { values: Pick<TileForm, 'series' | 'groupBy' | 'where'>; dropped: string[] } {
  const [from, to] = [fromId, toId].map((id) => sources.find((source) => source.id === id))
  const { where, whereLanguage } = form
  const whole = forSource({ field: '', where, whereLanguage, groupBy: splitExpressions(form.groupBy) }, from, to)
  const series = form.series.map((one) => {
    const moved = forSource({ ...one, field: one.valueExpression, groupBy: [] }, from, to)
    const { field: valueExpression, where: condition } = moved.query
    return { values: { ...one, valueExpression, where: condition }, dropped: moved.dropped }
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
    dropped: [...new Set([...whole.dropped, ...series.flatMap((one) => one.dropped)])],
  }
}

/** Whether the groups are those of the form, which keeps its spacing then. */
function sameText(groupBy: readonly string[], form: TileForm): boolean {
  return groupBy.join() === splitExpressions(form.groupBy).join()
}
