import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dashboardUpdateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import { dashboard as dashboardSchema } from '#contract/stack/dashboards/dashboards.ts'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { anyDashboard, anyEdits } from '#domain/dashboards/testing/arbitraries.ts'
import { compareReadBack, updateBody } from './changes.ts'
import { diff } from '#domain/json/diff.ts'

const reread = (value: unknown) => dashboardSchema.parse(parseJson(stringifyJson(value)))

test('opening and saving without a change sends nothing', () => {
  fc.assert(
    fc.property(anyDashboard, (dashboard) => {
      expect(updateBody(dashboard, reread(dashboard))).toBeNull()
    }),
    {
      numRuns: 500,
    },
  )
})

test('one edited field changes no other character of the request', () => {
  fc.assert(
    fc.property(anyDashboard, fc.nat(), (dashboard, pick) => {
      fc.pre(dashboard.tiles.length > 0)
      const at = pick % dashboard.tiles.length
      const draft = { ...dashboard, tiles: dashboard.tiles.with(at, { ...dashboard.tiles[at]!, name: 'edited' }) }
      fc.pre(dashboard.tiles[at]?.name !== 'edited')
      const body = updateBody(dashboard, draft)
      expect(Object.keys(body ?? {})).toEqual(['name', 'tiles'])
      const unedited = { ...body, tiles: body?.tiles.with(at, { ...body.tiles[at]!, name: dashboard.tiles[at]!.name }) }
      expect(stringifyJson(unedited)).toBe(stringifyJson({ name: dashboard.name, tiles: dashboard.tiles }))
    }),
    { numRuns: 500 },
  )
})

test('the body gives the draft when a deployment applies it', () => {
  fc.assert(
    fc.property(anyDashboard, anyEdits, (dashboard, edit) => {
      const draft = edit(dashboard)
      const body = updateBody(dashboard, draft)
      fc.pre(body !== null)
      const known = new Set(dashboard.tiles.map(({ id }) => id))
      // Like deployments: omitted parts are kept, a tile without an ID gets one.
      const tiles = body?.tiles.map((tile, index) => (tile.id ? tile : { ...tile, id: `server-${index}` }))
      expect(body?.tiles.every(({ id }) => id === undefined || known.has(id))).toBe(true)
      const after = reread({ ...dashboard, ...body, tiles })
      expect(compareReadBack(dashboard, draft, after).altered).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('sends only changed parts and those that an update requires', () => {
  const dashboard = dashboardSchema.parse({
    id: 'd',
    name: 'D',
    tiles: [],
    tags: ['a'],
    savedQuery: 'x',
    containers: [],
  })
  expect(updateBody(dashboard, { ...dashboard, tags: ['b'] })).toEqual({ name: 'D', tiles: [], tags: ['b'] })
  const { savedQuery: _, ...without } = dashboard
  expect(updateBody(dashboard, without)).toEqual({ name: 'D', tiles: [], savedQuery: null })
})

test.each([
  ['', {}, { savedQuery: '' }],
  ['x', {}, { savedQuery: 'x' }],
  ['', { savedQuery: 'x', savedQueryLanguage: 'sql' }, { savedQuery: null, savedQueryLanguage: null }],
  ['x', { savedQuery: 'y', savedQueryLanguage: 'sql' }, { savedQuery: 'x' }],
  ['', { savedQuery: '', savedQueryLanguage: 'sql' }, { savedQueryLanguage: null }],
])(
  'sends a saved query %j without a language over %j in a form that a deployment accepts',
  (savedQuery, stored, sent) => {
    const draft = dashboardSchema.parse({ id: 'd', name: 'D', tiles: [], savedQuery, savedQueryLanguage: null })
    const current = { ...draft, savedQuery: null, savedQueryLanguage: null, ...stored }
    const body = updateBody(current, draft)
    expect(body).toEqual({ name: 'D', tiles: [], ...sent })
    expect(dashboardUpdateStrict.safeParse(body).error).toBeUndefined()
  },
)

test('names the field that a read-back lost', () => {
  const sent = dashboardSchema.parse({ id: 'd', name: 'D', tiles: [{ id: 't', x: 0, y: 0, w: 1, h: 1, future: 1 }] })
  const read = dashboardSchema.parse({
    id: 'd',
    name: 'D',
    savedFilterValues: [],
    tiles: [{ id: 't', x: 0, y: 0, w: 1, h: 1 }],
  })
  const back = compareReadBack(sent, sent, read)
  expect(back.altered).toEqual([{ path: ['tiles', { id: 't' }, 'future'], before: 1, after: undefined }])
  expect(back.filledIn).toBe(0)
  expect(diff(sent, read)).toHaveLength(2)
})

test('finds a new filter again to which the deployment assigned another ID', () => {
  const filter = { type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: 's' }
  const before = dashboardSchema.parse({ id: 'd', name: 'D', tiles: [], filters: [] })
  const sent = { ...before, filters: [{ ...filter, id: 'of the draft' }] }
  const read = { ...before, filters: [{ ...filter, id: 'of the deployment' }] }
  expect(compareReadBack(before, sent, read).altered).toEqual([])
  const lost = { ...before, filters: [{ ...filter, id: 'of the deployment', expression: 'SpanName' }] }
  expect(compareReadBack(before, sent, lost).altered).toEqual([
    { path: ['filters', { id: 'of the deployment' }, 'expression'], before: 'ServiceName', after: 'SpanName' },
  ])
})

test('reports a tile that was to be removed and still exists', () => {
  const tile = { id: 't', x: 0, y: 0, w: 1, h: 1 }
  const before = dashboardSchema.parse({ id: 'd', name: 'D', tiles: [tile] })
  const back = compareReadBack(before, { ...before, tiles: [] }, before)
  expect(back.altered.map(({ path }) => path)).toEqual([['tiles', { id: 't' }]])
})

test('counts fields that a deployment fills in, without reporting them', () => {
  const sent = dashboardSchema.parse({ id: 'd', name: 'D', tiles: [] })
  expect(compareReadBack(sent, sent, { ...sent, revision: 7 })).toEqual({ altered: [], filledIn: 1 })
})
