/** Dashboards as the stack accepts them: docs/DEPLOYMENTS.md#dashboards, #tiles, #filters-of-dashboards. */
import { z } from 'zod'
import { filterVariable } from './filterVariables.ts'
import { configOf, legacySeries } from './legacyTiles.ts'
import { metricTypes } from '../sources.ts'
import { tileConfigStrict } from './tileConfigs.ts'
import { objectId, whereLanguage } from './tileParts.ts'

const name = z.string().max(1024)
const placeId = z.string().min(1).max(256)

const strictTile = z
  .object({
    id: z.string().max(36).optional(),
    name: z.string(),
    /** Shown beside the name. */
    description: z.string().max(10_000).optional(),
    x: z.number().min(0).max(23),
    y: z.number().min(0),
    w: z.number().min(1).max(24),
    h: z.number().min(1),
    config: tileConfigStrict.optional(),
    series: legacySeries.optional(),
    asRatio: z.boolean().optional(),
    containerId: placeId.optional(),
    tabId: placeId.optional(),
  })
  .superRefine((tile, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: [], message })
    if (!tile.config && !tile.series) refuse('Tile must have either series or config')
    if (tile.config && tile.series) refuse('Tile cannot have both series and config')
  })
  .transform(({ config, series, asRatio, ...place }) => ({
    ...place,
    config: config ?? configOf(series ?? [], asRatio),
  }))

const tab = z.object({ id: placeId, title: placeId })

const container = z
  .object({
    id: placeId,
    title: placeId,
    collapsed: z.boolean(),
    collapsible: z.boolean().optional(),
    bordered: z.boolean().optional(),
    tabs: z.array(tab).max(20).optional(),
  })
  .superRefine(({ tabs = [] }, context) => refuseDuplicates(tabs, 'tab', ['tabs'], context))

/** How many values of a filter have to be chosen, and may be. */
const selection = {
  minSelections: z.union([z.literal(0), z.literal(1)]).optional(),
  isGlobalRequirement: z.boolean().optional(),
  maxSelections: z.literal(1).optional(),
}

const variableName = z
  .string()
  .max(64)
  .regex(/^[a-zA-Z][a-zA-Z0-9_]*$/)
  .optional()

const filterFields = {
  ...selection,
  type: z.literal('QUERY_EXPRESSION'),
  name: z.string().min(1),
  expression: z.string().min(1),
  sourceId: objectId,
  sourceMetricType: z.enum(metricTypes).optional(),
  where: z.string().optional(),
  whereLanguage: whereLanguage.optional(),
  /** Only tiles of these sources. Empty or absent: all tiles. */
  appliesToSourceIds: z.array(objectId).optional(),
  /** Selected values become conditions of tiles. Default: true. */
  isBroadcastEnabled: z.boolean().optional(),
  /** Queries can use the selected values as a variable. Default: false. */
  isVariableEnabled: z.boolean().optional(),
  variableName,
}

/** A list of values that are not read from a source: always a variable, never a condition. */
const staticFields = {
  ...selection,
  type: z.literal('STATIC_LIST'),
  name: z.string().min(1),
  options: z
    .array(z.string())
    .min(1)
    .max(1000)
    .refine((options) => new Set(options).size === options.length, 'must not repeat a value'),
  isBroadcastEnabled: z.literal(false).optional(),
  isVariableEnabled: z.literal(true).optional(),
  variableName,
}

type QueryFilter = z.output<z.ZodObject<typeof filterFields>>
type Filter = QueryFilter | z.output<z.ZodObject<typeof staticFields>>

function filterRules(filter: QueryFilter, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  const broadcast = filter.isBroadcastEnabled ?? true
  if (!broadcast && !filter.isVariableEnabled) {
    refuse('isBroadcastEnabled', 'A filter must broadcast, or be a variable, or both')
  }
  if (filter.variableName !== undefined && !filter.isVariableEnabled) {
    refuse('variableName', 'variableName needs isVariableEnabled')
  }
  if (filter.appliesToSourceIds?.length && !broadcast) {
    refuse('appliesToSourceIds', 'appliesToSourceIds needs isBroadcastEnabled')
  }
}

const newFilters = z
  .array(
    z.discriminatedUnion('type', [z.strictObject(filterFields).superRefine(filterRules), z.strictObject(staticFields)]),
  )
  .superRefine(refuseSameVariables)

const filterId = { id: z.string().min(1).max(36) }
/** An existing filter has an id. */
const keptFilters = z
  .array(
    z.discriminatedUnion('type', [
      z.strictObject({ ...filterId, ...filterFields }).superRefine(filterRules),
      z.strictObject({ ...filterId, ...staticFields }),
    ]),
  )
  .superRefine(refuseSameVariables)

function refuseSameVariables(filters: readonly Filter[], context: z.RefinementCtx): void {
  const variables = filters.map(filterVariable)
  for (const [index, variable] of variables.entries()) {
    if (variable === null || variables.indexOf(variable) === index) continue
    context.addIssue({ code: 'custom', path: [index, 'variableName'], message: `Duplicate variable name: ${variable}` })
  }
}

const fields = {
  name,
  tiles: z.array(strictTile).max(500).superRefine(refuseSameTiles),
  tags: z
    .array(z.string().max(32))
    .max(50)
    .transform((tags) => [...new Set(tags)])
    .optional(),
  savedQuery: z.string().nullish(),
  savedQueryLanguage: z.enum(['sql', 'lucene', 'promql']).nullish(),
  savedFilterValues: z
    .array(
      z.union([
        z.object({
          type: z.literal('variable'),
          name: z.string().min(1).max(64),
          values: z.array(z.string()).max(1000),
        }),
        z.object({ type: z.literal('sql').default('sql'), condition: z.string().max(10_000) }),
      ]),
    )
    .optional(),
  containers: z
    .array(container)
    .max(50)
    .superRefine((containers, context) => refuseDuplicates(containers, 'container', [], context))
    .optional(),
}

function refuseSameTiles(tiles: readonly { id?: string | undefined }[], context: z.RefinementCtx): void {
  const ids = tiles.map((tile) => tile.id)
  for (const [index, id] of ids.entries()) {
    if (!id || ids.indexOf(id) === index) continue
    const message = `Duplicate tile ID: ${id}. Omit the ID to generate a unique one.`
    context.addIssue({ code: 'custom', path: [index, 'id'], message })
  }
}

function refuseDuplicates(
  places: readonly { id: string }[],
  what: string,
  path: PropertyKey[],
  context: z.RefinementCtx,
): void {
  const ids = places.map((place) => place.id)
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) === index) continue
    context.addIssue({ code: 'custom', path: [...path, index, 'id'], message: `Duplicate ${what} ID: ${id}` })
  }
}

function queryRules(
  dashboard: { savedQuery?: string | null | undefined; savedQueryLanguage?: string | null | undefined },
  context: z.RefinementCtx,
): void {
  // An empty query counts as provided, as on deployments.
  if (dashboard.savedQueryLanguage !== null || dashboard.savedQuery == null) return
  const message = 'savedQueryLanguage cannot be null when savedQuery is provided'
  context.addIssue({ code: 'custom', path: ['savedQueryLanguage'], message })
}

/** A new dashboard. The server assigns the ids of filters. */
export const dashboardCreateStrict = z.object({ ...fields, filters: newFilters.optional() }).superRefine(queryRules)

/** A dashboard that replaces a stored one. Fields other than name and tiles stay if they are left out. */
export const dashboardUpdateStrict = z.object({ ...fields, filters: keptFilters.optional() }).superRefine(queryRules)
