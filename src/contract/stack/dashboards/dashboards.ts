/** Dashboards: docs/DEPLOYMENTS.md#dashboards; the specification does not show their fields. */
import { z } from 'zod'
import { dashboardCreateStrict, dashboardUpdateStrict } from './dashboardRules.ts'
import { openEnum, pathId, resource, summariesOf, wireNumber } from '../../wire/kernel.ts'

export const gridColumns = 24
export const displayTypes = [
  'line',
  'stacked_bar',
  'table',
  'number',
  'pie',
  'bar',
  'heatmap',
  'search',
  'event_patterns',
  'markdown',
] as const

/** Tiles that alerts can use: docs/DEPLOYMENTS.md#deletion-and-references. */
export const alertableDisplayTypes: readonly string[] = ['line', 'stacked_bar', 'number']

/** Whether a deployment evaluates alerts on the tile. A tile of an unknown type may be evaluated. */
export function isEvaluated(tile: Pick<Tile, 'config'> | undefined): boolean {
  const type = tile?.config?.displayType
  return type === undefined || alertableDisplayTypes.includes(type)
}

/** One series of a tile. Unknown fields pass through. */
const selectItem = z.looseObject({
  aggFn: z.string().optional(),
  valueExpression: z.string().optional(),
  alias: z.string().optional(),
  level: wireNumber.optional(),
  where: z.string().optional(),
  whereLanguage: z.string().optional(),
  metricName: z.string().optional(),
  metricType: z.string().optional(),
})

/** The configuration of a tile. `select` is a list of series, or the columns of a search tile as text. */
const tileConfig = z.looseObject({
  displayType: openEnum(displayTypes).optional(),
  configType: z.string().optional(),
  sourceId: z.string().optional(),
  select: z.union([z.string(), z.array(selectItem)]).optional(),
  groupBy: z.string().optional(),
  markdown: z.string().optional(),
  sqlTemplate: z.string().optional(),
})

export const tile = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  x: wireNumber,
  y: wireNumber,
  w: wireNumber,
  h: wireNumber,
  config: tileConfig.optional(),
  containerId: z.string().optional(),
  tabId: z.string().optional(),
})
export type Tile = z.infer<typeof tile>

/** A dashboard as deployments return it. */
export const dashboard = z.looseObject({
  id: z.string(),
  name: z.string(),
  tiles: z.array(tile).default([]),
  tags: z.array(z.string()).default([]),
  filters: z.array(z.looseObject({ id: z.string().optional(), name: z.string().optional() })).default([]),
  savedQuery: z.string().nullish(),
  savedQueryLanguage: z.string().nullish(),
  savedFilterValues: z.array(z.looseObject({})).optional(),
  containers: z.array(z.looseObject({ id: z.string(), title: z.string().optional() })).optional(),
})
export type Dashboard = z.infer<typeof dashboard>

/** The part of a dashboard that lists show. Its tiles make it many times as large. */
export const dashboardSummary = z.object({
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  tileCount: z.number(),
  /** Where its tiles lie: `domain/dashboards/outlineText.ts`. */
  outline: z.string(),
  /** The IDs of the tiles on which deployments evaluate no alerts. */
  unevaluatedTiles: z.array(z.string()),
})
export type DashboardSummary = z.infer<typeof dashboardSummary>

/** Characters. */
export const maxDashboardName = 1024

/** The input of clients. Unknown fields pass through to the deployment. */
export const dashboardInput = z.looseObject({ name: z.string().max(maxDashboardName), tiles: z.array(tile).max(500) })

/** The result of validating a dashboard without saving it: docs/DEPLOYMENTS.md#validation-of-dashboards. */
const dashboardVerdict = z.looseObject({
  valid: z.boolean(),
  errors: z.array(z.looseObject({ path: z.string(), message: z.string() })),
  /** The dashboard as it would be stored; null if it is invalid. */
  normalized: z.unknown(),
})

const both = ['openSource', 'managed'] as const
const dashboardId = z.object({ dashboardId: pathId })
const bodyLimit = 8 * 1024 * 1024

export const dashboards = resource('dashboards', {
  list: { method: 'GET', scope: 'stack', path: '/dashboards', variants: both, list: true, result: z.array(dashboard) },
  get: {
    method: 'GET',
    scope: 'stack',
    path: '/dashboards/{dashboardId}',
    variants: both,
    params: dashboardId,
    record: { volatile: ['updatedAt'] },
    result: dashboard,
  },
  create: {
    method: 'POST',
    scope: 'stack',
    path: '/dashboards',
    variants: both,
    body: dashboardInput,
    strictBody: dashboardCreateStrict,
    bodyLimit,
    stored: { unreturned: [] },
    result: dashboard,
  },
  validate: {
    method: 'POST',
    scope: 'stack',
    path: '/dashboards/validate',
    variants: both,
    unspecified: true,
    mutates: false,
    bare: ['openSource'],
    body: z.unknown(),
    bodyLimit,
    result: dashboardVerdict,
  },
  update: {
    method: 'PUT',
    scope: 'stack',
    path: '/dashboards/{dashboardId}',
    variants: both,
    params: dashboardId,
    body: dashboardInput,
    strictBody: dashboardUpdateStrict,
    bodyLimit,
    stored: { unreturned: [] },
    result: dashboard,
  },
  delete: {
    method: 'DELETE',
    scope: 'stack',
    path: '/dashboards/{dashboardId}',
    variants: both,
    params: dashboardId,
    result: z.unknown(),
  },
})

export const dashboardSummaries = summariesOf(dashboards.list, z.array(dashboardSummary))
