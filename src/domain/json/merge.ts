/** Three-way merge of records. A change of one side is applied; different changes of both sides are a conflict. */
import { orderStep } from './diff.ts'
import { isKeyed, keysOf, type JsonObject, type Keyed, type Path, pathKey, sameJson } from './json.ts'
import { isPlainObject } from './plainObject.ts'

/** The side whose value is kept. */
export type Side = 'mine' | 'theirs'

export interface Conflict {
  /** Names the conflict in `choices`. */
  key: string
  path: Path
  /** undefined: not there. */
  base: unknown
  mine: unknown
  theirs: unknown
}

/**
 * Merges two edits of `base`. Items with ids are matched by id; a tile's place (x, y, w, h) is one value, and so is its
 * configuration if its kind changed: a mix of two kinds would be invalid.
 * @param decide which side is kept of a conflict
 */
export function merge(three: ThreeWay, decide: Decide): unknown {
  return mergeValues(three, [], decide)
}

export interface ThreeWay {
  base: unknown
  mine: unknown
  theirs: unknown
}
export type Decide = (conflict: Conflict) => Side

function mergeValues(three: ThreeWay, path: Path, decide: Decide): unknown {
  const { base, mine, theirs } = three
  if (sameJson(mine, theirs) || sameJson(base, theirs)) return mine
  if (sameJson(base, mine)) return theirs
  if (isPlainObject(base) && isPlainObject(mine) && isPlainObject(theirs) && !isAtomic(path, base, mine, theirs)) {
    return mergeObjects({ base, mine, theirs }, path, decide)
  }
  if (isKeyed(mine) && isKeyed(theirs) && (base === undefined || isKeyed(base))) {
    return mergeLists({ base: base ?? [], mine, theirs }, path, decide)
  }
  return decide({ ...three, path, key: pathKey(path) }) === 'mine' ? mine : theirs
}

/** Configurations of different kinds do not mix. */
function isAtomic(path: Path, ...sides: JsonObject[]): boolean {
  if (path[0] !== 'tiles' || path.length !== 3 || path[2] !== 'config') return false
  const kinds = sides.map(({ displayType, configType }) => `${String(displayType)}/${String(configType)}`)
  return new Set(kinds).size > 1
}

const placeKeys = ['x', 'y', 'w', 'h']
/** The path step for a tile's x, y, w and h together. */
export const placeStep = '(place)'

function mergeObjects(three: Record<keyof ThreeWay, JsonObject>, path: Path, decide: Decide): JsonObject {
  const { base, mine, theirs } = three
  const isTile = path[0] === 'tiles' && path.length === 2
  const merged: JsonObject = {}
  for (const key of keysOf(mine, theirs)) {
    if (isTile && placeKeys.includes(key)) continue
    const value = mergeValues({ base: base[key], mine: mine[key], theirs: theirs[key] }, [...path, key], decide)
    if (value !== undefined) merged[key] = value
  }
  if (!isTile) return merged
  const places = { base: placeOf(base), mine: placeOf(mine), theirs: placeOf(theirs) }
  const place = mergeAtomic(places, [...path, placeStep], decide)
  return { ...merged, ...(place as JsonObject) } // one of the three places above
}

function placeOf(tile: JsonObject): JsonObject {
  return Object.fromEntries(placeKeys.filter((key) => key in tile).map((key) => [key, tile[key]]))
}

function mergeAtomic(three: ThreeWay, path: Path, decide: Decide): unknown {
  const { base, mine, theirs } = three
  if (sameJson(mine, theirs) || sameJson(base, theirs)) return mine
  if (sameJson(base, mine)) return theirs
  return decide({ ...three, path, key: pathKey(path) }) === 'mine' ? mine : theirs
}

function mergeLists(three: Record<keyof ThreeWay, Keyed[]>, path: Path, decide: Decide): unknown[] {
  const [base, mine, theirs] = [byId(three.base), byId(three.mine), byId(three.theirs)]
  const merged = new Map<string, unknown>()
  for (const id of new Set([...mine.keys(), ...theirs.keys()])) {
    const item = { base: base.get(id), mine: mine.get(id), theirs: theirs.get(id) }
    const value = mergeValues(item, [...path, { id }], decide)
    if (value !== undefined) merged.set(id, value)
  }
  return mergeOrder(three, path, decide)
    .filter((id) => merged.has(id))
    .map((id) => merged.get(id))
}

/** The order of one side, the other side's new items behind their former neighbour. */
function mergeOrder(three: Record<keyof ThreeWay, Keyed[]>, path: Path, decide: Decide): string[] {
  const [base, mine, theirs] = [idsOf(three.base), idsOf(three.mine), idsOf(three.theirs)]
  const shared = (ids: string[]) => ids.filter((id) => base.includes(id) && mine.includes(id) && theirs.includes(id))
  const orders = { base: shared(base), mine: shared(mine), theirs: shared(theirs) }
  const chosen = mergeAtomic(orders, [...path, orderStep], decide)
  const [first, second] = sameJson(chosen, orders.mine) ? [mine, theirs] : [theirs, mine]
  const order = [...first]
  second.forEach((id, index) => {
    if (order.includes(id)) return
    const before = index === 0 ? -1 : order.indexOf(second[index - 1]!)
    order.splice(before + 1, 0, id)
  })
  return order
}

const byId = (items: Keyed[]) => new Map(items.map((item) => [item.id, item]))
const idsOf = (items: Keyed[]) => items.map(({ id }) => id)
