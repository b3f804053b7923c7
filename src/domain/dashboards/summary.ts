/** Summaries of dashboards, which the gateway sends for lists. */
import { z } from 'zod'
import { isEvaluated, type DashboardSummary } from '#contract/stack/dashboards/dashboards.ts'
import { wireNumber } from '#contract/wire/kernel.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { outlineOf } from './outline.ts'
import { outlineText } from './outlineText.ts'

/** The fields that the outline depends on, and the states of alerts. */
const outlined = z.object({
  tiles: z.array(
    z.object({
      id: z.string().optional(),
      x: wireNumber,
      y: wireNumber,
      w: wireNumber,
      h: wireNumber,
      containerId: z.string().optional(),
      tabId: z.string().optional(),
      config: z.object({ displayType: z.string().optional() }).optional(),
    }),
  ),
  containers: z.array(z.looseObject({ id: z.string() })).optional(),
})

/**
 * The summary of a dashboard as a deployment returned it. Its ID, name and tags are not checked; with tiles that are not as the
 * contract says it has no outline.
 */
export function dashboardSummaryOf(record: unknown): unknown {
  if (!isPlainObject(record)) return record
  const { id, name, tags = [], tiles } = record
  const { data } = outlined.safeParse(record)
  return {
    id,
    name,
    tags,
    tileCount: Array.isArray(tiles) ? tiles.length : 0,
    outline: data ? outlineText(outlineOf(data)) : '',
    unevaluatedTiles: data ? data.tiles.flatMap((tile) => (isEvaluated(tile) ? [] : (tile.id ?? []))) : [],
  } satisfies Record<keyof DashboardSummary, unknown>
}
