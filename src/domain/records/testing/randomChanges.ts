/** Random records and changes of a deployment, for property tests. */
import * as fc from 'fast-check'
import type { JsonObject } from '../../json/json.ts'
import { isPlainObject } from '../../json/plainObject.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import type { MemoryDeployment } from './memoryDeployment.ts'

/** A change as numbers, which are read against what the deployment has at that moment. */
export interface RandomChange {
  kind: RecordKind
  action: 'create' | 'change' | 'delete'
  pick: number
  name: number
  tiles: readonly number[]
}

export const randomChange: fc.Arbitrary<RandomChange> = fc.record({
  kind: fc.constantFrom(...recordKinds),
  action: fc.constantFrom('create', 'create', 'change', 'change', 'delete'),
  pick: fc.nat(50),
  name: fc.nat(4),
  tiles: fc.array(fc.nat(3), { maxLength: 4 }),
})

/** Applies a change. Where there is nothing to change, nothing happens. */
export async function applyChange(deployment: MemoryDeployment, change: RandomChange): Promise<void> {
  const { kind, action, pick } = change
  const ids = [...deployment.records[kind].keys()]
  const id = ids[pick % Math.max(ids.length, 1)]
  if (action === 'delete') {
    if (id !== undefined) await deployment.remove(kind, id)
    return
  }
  const body = bodyFor(
    deployment,
    change,
    action === 'change' && id !== undefined ? deployment.records[kind].get(id) : undefined,
  )
  if (!body) return
  if (action === 'create' || id === undefined) await deployment.create(kind, body)
  else await deployment.update(kind, id, body)
}

function bodyFor(
  deployment: MemoryDeployment,
  change: RandomChange,
  current: JsonObject | undefined,
): JsonObject | null {
  const { kind, pick, name, tiles } = change
  const some = (other: RecordKind) => {
    const ids = [...deployment.records[other].keys()]
    return ids[pick % Math.max(ids.length, 1)]
  }
  const source = some('sources')
  switch (kind) {
    case 'sources':
      return { name: `Source ${name}`, kind: 'log', connection: 'c1', ...(source && { traceSourceId: source }) }
    case 'webhooks':
      return { name: `Hook ${name}`, service: 'generic', url: `https://hooks.example/${pick}` }
    case 'savedSearches':
      return source ? { name: `Search ${name}`, sourceId: source, where: `level:${pick}` } : null
    case 'dashboards':
      return source
        ? { name: `Board ${name}`, tags: tiles.map(String), tiles: tilesFor(tiles, source, pick, current) }
        : null
    case 'alerts':
      return alertFor(deployment, change, some('webhooks'))
    default:
      return { name: `Record ${name}` }
  }
}

function tilesFor(
  tiles: readonly number[],
  sourceId: string,
  pick: number,
  current: JsonObject | undefined,
): JsonObject[] {
  const stored = Array.isArray(current?.['tiles']) ? current['tiles'].filter(isPlainObject) : []
  return tiles.map((tile, index) => {
    const kept = stored[index]?.['id']
    const config = { displayType: tile === 3 ? 'table' : 'line', sourceId, where: `n:${pick}` }
    return {
      ...(kept !== undefined && pick % 2 === 0 && { id: kept }),
      name: `Tile ${tile}`,
      x: 0,
      y: index,
      w: 6,
      h: 3,
      config,
    }
  })
}

function alertFor(
  deployment: MemoryDeployment,
  { pick, name }: RandomChange,
  webhookId: string | undefined,
): JsonObject | null {
  const searches = [...deployment.records.savedSearches.keys()]
  const common = {
    ...(name > 0 && { name: `Alert ${name}` }),
    threshold: pick,
    thresholdType: 'above',
    interval: '5m',
    ...(webhookId && { channels: [{ type: 'webhook', webhookId }] }),
  }
  const searchId = searches[pick % Math.max(searches.length, 1)]
  if (pick % 3 === 0 && searchId) return { ...common, source: 'saved_search', savedSearchId: searchId }
  const watched = [...deployment.records.dashboards.values()].flatMap((dashboard) =>
    Array.isArray(dashboard['tiles'])
      ? dashboard['tiles']
          .filter(isPlainObject)
          .flatMap(({ id, config }) =>
            isPlainObject(config) && config['displayType'] === 'line'
              ? [{ dashboardId: dashboard['id'], tileId: id }]
              : [],
          )
      : [],
  )
  const tile = watched[pick % Math.max(watched.length, 1)]
  return tile ? { ...common, source: 'tile', ...tile } : null
}
