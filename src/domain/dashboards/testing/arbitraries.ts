/** Generated dashboards for property tests: unknown fields, unknown kinds, and numbers that JavaScript cannot hold. */
import * as fc from 'fast-check'
import { dashboard as dashboardSchema, type Dashboard, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import { parseJson } from '#contract/wire/json.ts'
import { type Path, sameJson } from '#domain/json/json.ts'
import { placeStep } from '#domain/json/merge.ts'

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  fc.constantFrom('12345678901234567890', '1e400', '0.10000000000000000000001', '9007199254740993').map(parseJson),
)

/** A value that some newer deployment may add. */
const unknown: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string(),
    number,
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom('alpha', 'beta', 'gamma', 'x', 'id'), tie('value'), { maxKeys: 3 }),
})).value

const extra = fc.dictionary(fc.constantFrom('newField', 'another', 'future'), unknown, { maxKeys: 2 })

const select = fc.array(
  fc
    .tuple(fc.record({ aggFn: fc.constantFrom('count', 'avg', 'p99'), where: fc.string() }), extra)
    .map(([item, more]) => ({ ...more, ...item })),
  { minLength: 1, maxLength: 3 },
)

const config = fc
  .tuple(
    fc.record({ displayType: fc.constantFrom('line', 'number', 'markdown', 'hologram'), sourceId: fc.string() }),
    fc.option(select, { nil: undefined }),
    extra,
  )
  .map(([known, series, more]) => ({ ...more, ...known, ...(series && { select: series }) }))

const tile = (containerIds: string[]): fc.Arbitrary<Tile> =>
  fc
    .record({
      name: fc.string({ maxLength: 8 }),
      x: fc.integer({ min: 0, max: 23 }),
      y: fc.integer({ min: 0, max: 40 }),
      w: fc.integer({ min: 1, max: 24 }),
      h: fc.integer({ min: 1, max: 12 }),
      config,
      containerId: fc.option(fc.constantFrom('none', ...containerIds), { nil: undefined }),
      more: extra,
    })
    .map(({ more, containerId, ...known }) => ({
      ...more,
      ...known,
      ...(containerId && containerIds.includes(containerId) && { containerId }),
    }))

const ids = ['t1', 't2', 't3', 't4', 't5', 't6']

/** A dashboard as a deployment answers it. */
export const anyDashboard: fc.Arbitrary<Dashboard> = fc
  .uniqueArray(fc.constantFrom('c1', 'c2'), { maxLength: 2 })
  .chain((containerIds) =>
    fc.record({
      name: fc.string({ maxLength: 10 }),
      tiles: fc
        .uniqueArray(fc.tuple(fc.constantFrom(...ids), tile(containerIds)), { selector: ([id]) => id, maxLength: 6 })
        .map((pairs) => pairs.map(([id, one]) => ({ ...one, id }))),
      tags: fc.uniqueArray(fc.constantFrom('ops', 'shop', 'db'), { maxLength: 3 }),
      savedQuery: fc.option(fc.string()),
      containers: fc.constant(containerIds.map((id) => ({ id, title: id, collapsed: false }))),
      more: extra,
    }),
  )
  .map(({ more, ...known }) => dashboardSchema.parse({ ...more, ...known, id: 'd1', filters: [] }))

/** One edit that a person may make. */
export type Edit = (dashboard: Dashboard) => Dashboard

const editTile =
  (id: string, change: (tile: Tile) => Tile): Edit =>
  (dashboard) => ({
    ...dashboard,
    tiles: dashboard.tiles.map((one) => (one.id === id ? change(one) : one)),
  })

const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.string().map((name): Edit => (dashboard) => ({ ...dashboard, name })),
  fc.uniqueArray(fc.constantFrom('ops', 'new'), { maxLength: 2 }).map((tags): Edit => (dashboard) => ({
    ...dashboard,
    tags,
  })),
  unknown.map((future): Edit => (dashboard) => ({ ...dashboard, future })),
  fc.tuple(fc.constantFrom(...ids), fc.string()).map(([id, name]) => editTile(id, (one) => ({ ...one, name }))),
  fc
    .tuple(fc.constantFrom(...ids), fc.nat(23), fc.nat(40))
    .map(([id, x, y]) => editTile(id, (one) => ({ ...one, x, y }))),
  fc.tuple(fc.constantFrom(...ids), config).map(([id, next]) => editTile(id, (one) => ({ ...one, config: next }))),
  fc
    .tuple(fc.constantFrom(...ids), unknown)
    .map(([id, future]) => editTile(id, (one) => ({ ...one, config: { ...one.config, future } }))),
  fc.constantFrom(...ids).map((id): Edit => (dashboard) => ({
    ...dashboard,
    tiles: dashboard.tiles.filter((one) => one.id !== id),
  })),
  fc.tuple(fc.uuid(), tile([])).map(([id, one]): Edit => (dashboard) => ({
    ...dashboard,
    tiles: [...dashboard.tiles, { ...one, id }],
  })),
  fc.constant<Edit>((dashboard) => ({ ...dashboard, tiles: dashboard.tiles.toReversed() })),
)

export const anyEdits: fc.Arbitrary<Edit> = fc
  .array(anyEdit, { minLength: 1, maxLength: 4 })
  .map((edits) => (dashboard) => edits.reduce((result, edit) => edit(result), dashboard))

/**
 * Whether a conflict covers a field: one path is a prefix of the other. A conflict over a position covers x, y, w and
 * h.
 */
export function touches(conflict: Path, field: Path): boolean {
  const isPlace = conflict.at(-1) === placeStep
  const covered = isPlace ? conflict.slice(0, -1) : conflict
  const length = Math.min(covered.length, field.length)
  const begins = sameJson(covered.slice(0, length), field.slice(0, length))
  return begins && (!isPlace || ['x', 'y', 'w', 'h'].includes(String(field.at(-1))))
}
