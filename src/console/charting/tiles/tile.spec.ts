import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ChartPoint, chartQuery, granularities } from '#contract/stack/charts.ts'
import { evaluateFormula, parseFormula } from '#contract/stack/dashboards/formulas.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import { tileLines, tileTotal } from './tileData.ts'
import { asSqlFor } from '../search/conditionAsSql.ts'
import type { ScopeCondition } from '../conditions/combinedCondition.ts'
import type { SelectItem, TileConfig } from './tileConfig.ts'
import { planTile, previousPlan, type QueryPlan, type TileScope } from './tileQuery.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 10, 20)
const scope: TileScope = {
  span: { from: start, to: start + 6 * hour },
  granularity: 'auto',
  zone: 'utc',
  conditions: [],
  sourceId: (id) => (id === 'gone' ? null : id),
}
const line = (config: object = {}): TileConfig => ({
  displayType: 'line',
  sourceId: 's',
  select: [{ aggFn: 'count' }],
  ...config,
})

function planOf(config: TileConfig, over: Partial<TileScope> = {}): QueryPlan {
  const plan = planTile(config, { ...scope, ...over })
  if (plan.kind !== 'query') throw new Error(JSON.stringify(plan))
  return plan
}

describe('plan', () => {
  test('is a valid query for any builder tile', () => {
    const config = fc.record({
      displayType: fc.constantFrom('line', 'stacked_bar', 'table', 'number', 'pie', 'bar', 'search', 'event_patterns'),
      sourceId: fc.constant('s'),
      select: fc.array(
        fc.record({
          aggFn: fc.constantFrom('count', 'avg', 'quantile', 'last_value'),
          valueExpression: fc.constantFrom('Duration', 'Value'),
          level: fc.constantFrom(0.5, 0.99),
          where: fc.constantFrom('', 'ServiceName:api', 'a = 1'),
          whereLanguage: fc.constantFrom('lucene', 'sql'),
        }),
        { minLength: 1, maxLength: 20 },
      ),
      groupBy: fc.constantFrom('', 'ServiceName', 'a, b'),
      compareToPreviousPeriod: fc.boolean(),
    })
    const span = fc.tuple(fc.nat(400 * 24), fc.integer({ min: 1, max: 400 * 24 })).map(([offset, hours]) => ({
      from: start - offset * hour - hours * hour,
      to: start - offset * hour,
    }))
    fc.assert(
      fc.property(config, span, (one, span) => {
        const plan = planOf(one, { span })
        expect(plan.requests.length).toBeGreaterThan(0)
        for (const { query } of plan.requests) expect(chartQuery.safeParse(query).error?.issues).toBeUndefined()
      }),
    )
  })

  test.each([
    [{ configType: 'sql', displayType: 'line', sqlTemplate: 'select 1' }, /Raw SQL/],
    [{ configType: 'promql', displayType: 'line' }, /promql/],
    [{ displayType: 'heatmap', select: [{ countExpression: 'sum(Weight)' }] }, /Heatmaps that count sum/],
    [{ displayType: 'heatmap', select: [{}] }, /Choose a field/],
    [{ displayType: 'hologram' }, /hologram/],
    [line({ sourceId: 'gone' }), /Source not found/],
    [line({ select: [{ aggFn: 'median' }] }), /median/],
    [line({ select: [{ aggFn: 'max', valueExpression: 'ServiceName' }] }), /ServiceName is text/],
    [line({ select: [{ aggFn: 'count' }, { aggFn: 'avg' }] }), /Choose a field/],
    [line({ select: [{ aggFn: 'avg', metricType: 'gauge' }] }), /Choose a metric/],
  ])('explains why %o cannot be queried', (config, reason) => {
    expect(planTile(config, scope)).toMatchObject({ kind: 'none', reason: expect.stringMatching(reason) })
  })

  test('with more than five series has several requests, and one more for a comparison', () => {
    const select = Array.from({ length: 7 }, () => ({ aggFn: 'count' }))
    expect(planOf(line({ select })).requests.map(({ first, query }) => [first, query.series.length])).toEqual([
      [0, 5],
      [5, 2],
    ])
    const compared = planOf(line({ compareToPreviousPeriod: true }))
    expect(compared.requests.map(({ query }) => query.startTime)).toEqual([start, start - 6 * hour])
  })

  test('over time starts at a whole bucket unless disabled; a total has the exact range', () => {
    const span = { from: start + 7 * 60_000, to: start + 6 * hour + 9 * 60_000 }
    const { requests, bucketMs, span: drawn } = planOf(line({}), { span })
    expect(requests[0]?.query).toMatchObject({ granularity: '15m', startTime: start, endTime: span.to })
    expect([bucketMs, drawn]).toEqual([15 * 60_000, { from: start, to: span.to }])
    const compared = planOf(line({ compareToPreviousPeriod: true }), { span })
    expect(compared.requests.map(({ earlier }) => earlier % bucketMs)).toEqual([0, 0])
    const asItIs = planOf(line({ alignDateRangeToGranularity: false }), { span })
    expect(asItIs.requests[0]?.query).toMatchObject({ granularity: 'auto', startTime: span.from })
    expect(planOf(line({ displayType: 'number' }), { span }).requests[0]?.query.startTime).toBe(span.from)
  })

  test('of a total has one bucket if one holds the whole range', () => {
    const average = [{ aggFn: 'avg', valueExpression: 'Duration' }]
    for (const total of [{ displayType: 'table' }, { displayType: 'number', select: average }]) {
      const [request] = planOf(line(total)).requests
      expect(granularities).toContain(request?.query.granularity)
      expect(planOf(line(total)).bucketMs).toBeGreaterThanOrEqual(6 * hour)
    }
    // Its course comes with it, where the buckets add up to the very same.
    expect(planOf(line({ displayType: 'number' })).bucketMs).toBeLessThan(hour)
  })
})

test('lines keep their order and colors in any order of groups in the response', () => {
  const config = line({ groupBy: 'ServiceName' })
  const plan = planOf(config)
  const points = ['web', 'api 10', 'api 9', ''].map((name) => ({
    ts_bucket: start,
    group: [name],
    'series_0.data': '1',
  }))
  fc.assert(
    fc.property(fc.shuffledSubarray(points, { minLength: points.length }), (shuffled) => {
      const labels = tileLines(config, plan, [shuffled]).map(({ label }) => label)
      expect(labels).toEqual(['(none)', 'api 9', 'api 10', 'web'])
    }),
  )
})

describe('conditions', () => {
  const filter: ScopeCondition = { lucene: 'Service:"api"', sql: "Service IN ('api')", label: 'filter Service' }
  const query: ScopeCondition = { lucene: 'level:error', label: 'the dashboard’s query' }
  const whereOf = (config: TileConfig, conditions: ScopeCondition[]) => {
    const { where, whereLanguage } = planOf(config, { conditions }).requests[0]!.query.series[0]!
    return [where, whereLanguage]
  }
  const sqlTile = line({ select: [{ aggFn: 'count', where: 'x = 1', whereLanguage: 'sql' }] })

  test('are added to those of the tile in its language', () => {
    expect(whereOf(sqlTile, [filter])).toEqual(["(x = 1) AND (Service IN ('api'))", 'sql'])
    expect(whereOf(line(), [query, filter])).toEqual(['level:error AND Service:"api"', 'lucene'])
    expect(whereOf(line(), [{ sql: 'a = 1', label: '' }])).toEqual(['a = 1', 'sql'])
  })

  test('are joined as what they mean, whatever they look like', () => {
    const either: ScopeCondition = { lucene: 'a:x || b:y', label: 'the dashboard’s query' }
    expect(whereOf(line(), [either, filter])).toEqual(['(a:x || b:y) AND Service:"api"', 'lucene'])
    const commented = line({ select: [{ aggFn: 'count', where: 'x = 1 -- old', whereLanguage: 'sql' }] })
    expect(whereOf(commented, [filter])).toEqual(["(x = 1 -- old\n) AND (Service IN ('api'))", 'sql'])
    const open = line({ select: [{ aggFn: 'count', where: 'x = 1) OR (1 = 1', whereLanguage: 'sql' }] })
    expect(planTile(open, { ...scope, conditions: [filter] })).toEqual({
      kind: 'none',
      reason: 'The condition cannot be read: x = 1) OR (1 = 1',
    })
  })

  const logs = { id: 's', name: 'Logs', kind: 'log', bodyExpression: 'Body' }
  const planned = (config: TileConfig, conditions: ScopeCondition[]) => {
    const { notes, requests } = planOf(config, { conditions, toSql: asSqlFor([logs]) })
    const { where, whereLanguage } = requests[0]!.query.series[0]!
    return { where, whereLanguage, notes }
  }

  test('in another language than the tile’s are translated to SQL', () => {
    const errors = { lucene: 'SeverityText:"error"', label: 'the dashboard’s query' }
    expect(planned(sqlTile, [errors])).toEqual({
      where: "(x = 1) AND (ifNull(SeverityText = 'error', 0))",
      whereLanguage: 'sql',
      notes: [],
    })
    const luceneTile = line({ select: [{ aggFn: 'count', where: 'refused' }] })
    expect(planned(luceneTile, [{ sql: 'a = 1', label: 'a saved filter value' }])).toEqual({
      where: "(ifNull(Body ILIKE '%refused%', 0)) AND (a = 1)",
      whereLanguage: 'sql',
      notes: [],
    })
  })

  test('or the part that SQL cannot express is named, and the rest is applied', () => {
    expect(planned(sqlTile, [{ lucene: 'SeverityText:"error" mine:5', label: 'the dashboard’s query' }])).toEqual({
      where: "(x = 1) AND (ifNull(SeverityText = 'error', 0))",
      whereLanguage: 'sql',
      notes: [
        'Not filtered by mine:5 of the dashboard’s query: the condition of this tile is SQL, which cannot express it.',
      ],
    })
    // The rows that the tile itself counts are never left out.
    const luceneTile = line({ select: [{ aggFn: 'count', where: 'mine:5' }] })
    expect(planned(luceneTile, [query, { sql: 'a = 1', label: 'a saved filter value' }])).toEqual({
      where: 'mine:5 AND level:error',
      whereLanguage: 'lucene',
      notes: ['Not filtered by a saved filter value: it is SQL, and the condition of this tile is not.'],
    })
  })

  test('for other sources do not apply to the tile', () => {
    expect(whereOf(line(), [{ ...filter, sourceIds: ['other'] }])[0]).toBe('')
  })
})

describe('responses', () => {
  const point = (time: number, group: string[], ...values: unknown[]) => ({
    ts_bucket: start + time * hour,
    group,
    ...Object.fromEntries(values.map((value, index) => [`series_${index}.data`, value])),
  })

  test('become one line for each group and series, in order of time', () => {
    const config = line({ select: [{ aggFn: 'count' }, { aggFn: 'avg', valueExpression: 'd' }], groupBy: 'g' })
    const lines = tileLines(config, planOf(config), [
      [point(2, ['a'], '4', 1.5), point(1, ['a'], '3'), point(1, ['b'], '7')],
    ])
    expect(lines.map(({ label }) => label)).toEqual(['a · count', 'a · avg(d)', 'b · count', 'b · avg(d)'])
    expect(lines[0]?.points).toEqual([
      [start + hour, 3],
      [start + 2 * hour, 4],
    ])
    expect(lines[1]?.points[0]).toEqual([start + hour, null])
  })

  test('of formulas and ratios are computed for each bucket', () => {
    const select = [{ aggFn: 'count' }, { aggFn: 'count' }]
    const answers = [[point(0, [], '30', '60'), point(1, [], '1', '0')]]
    const formula = line({ select, formulas: [{ expression: 'A / B * 100', alias: 'share' }] })
    expect(tileLines(formula, planOf(formula), answers)).toMatchObject([
      {
        label: 'share',
        points: [
          [start, 50],
          [start + hour, null],
        ],
      },
    ])
    const ratio = line({ select, asRatio: true })
    expect(tileLines(ratio, planOf(ratio), answers)[0]?.points[0]?.[1]).toBe(0.5)
  })

  test('of the previous period are shifted onto the current one', () => {
    const config = line({ compareToPreviousPeriod: true })
    const lines = tileLines(config, planOf(config), [[point(1, [], '3')], [point(-5, [], '9')]])
    expect(lines.map(({ previous, points }) => [previous ?? false, points[0]])).toEqual([
      [false, [start + hour, 3]],
      [true, [start + hour, 9]],
    ])
  })

  test('of a total are summed, largest group first', () => {
    const config = line({ displayType: 'bar', groupBy: 'g', limit: 1 })
    const answers = [[point(0, ['a'], '1'), point(24, ['a'], '2'), point(0, ['b'], '5')]]
    const total = tileTotal(config, planOf(config), answers, scope.span)
    expect(total.rows).toEqual([{ group: ['b'], values: [5] }])
    expect(total.columns[0]?.approximate).toBe(false)
  })

  test('of all groups but the largest are the last, whatever a group is called', () => {
    const others = (value: string): ChartPoint => ({ ...point(0, [], value), otherGroups: 9990 })
    const named = point(0, ['Other (9,990 values)'], '1')
    const answers = [[others('70'), named, point(0, ['b'], '5')]]
    const drawn = line({ groupBy: 'g', seriesLimit: 2 })
    const lines = tileLines(drawn, planOf(drawn), answers)
    expect(lines.map(({ label, others, points }) => [label, others, points[0]?.[1]])).toEqual([
      ['b', false, 5],
      ['Other (9,990 values)', false, 1],
      ['Other (9,990 values)', true, 70],
    ])
    expect(new Set(lines.map(({ id }) => id)).size).toBe(3)
    const bars = line({ displayType: 'bar', groupBy: 'g', limit: 2 })
    const { rows } = tileTotal(bars, planOf(bars), answers, scope.span)
    expect(rows.map(({ others = 0, values }) => [others, ...values])).toEqual([
      [0, 5],
      [0, 1],
      [9990, 70],
    ])
  })

  test('are asked for by their number, where the first series ranks them as the tile does', () => {
    const asked = (config: object) => planOf(line(config)).requests.map(({ query }) => query.topGroups)
    expect(asked({ groupBy: 'g', seriesLimit: 12 })).toEqual([12])
    expect(asked({ groupBy: 'g' })).toEqual([1000])
    expect(asked({})).toEqual([undefined])
    expect(asked({ displayType: 'pie', groupBy: 'g', limit: 5 })).toEqual([5])
    expect(asked({ displayType: 'table', groupBy: 'g', orderBy: 'count asc' })).toEqual([undefined])
    expect(asked({ displayType: 'table', groupBy: 'g', formulas: [{ expression: 'A * 2' }] })).toEqual([undefined])
    const [own, earlier] = planOf(line({ groupBy: 'g', compareToPreviousPeriod: true })).requests
    expect(earlier?.query.topGroupsRange).toEqual({ startTime: own?.query.startTime, endTime: own?.query.endTime })
  })

  test('of a total are sorted by the column that the tile names', () => {
    const select = [{ aggFn: 'count' }, { aggFn: 'max', valueExpression: 'd', alias: '99 %' }]
    const answers = [[point(0, ['a'], '9', 1), point(0, ['b'], '1', 7), point(0, ['c'], '5', 3)]]
    const groups = (orderBy: string) => {
      const config = line({ displayType: 'table', groupBy: 'g', select, orderBy })
      return tileTotal(config, planOf(config), answers, scope.span).rows.map(({ group }) => group[0])
    }
    expect(groups('"99 %" DESC')).toEqual(['b', 'c', 'a'])
    expect(groups('`99 %`')).toEqual(['a', 'c', 'b'])
    expect(groups('count asc')).toEqual(['b', 'c', 'a'])
    expect(groups('something else')).toEqual(['a', 'c', 'b'])
  })

  test('have the number format of the series, or else of the tile', () => {
    const select = [{ aggFn: 'count' }, { aggFn: 'max', valueExpression: 'd', numberFormat: { output: 'duration' } }]
    const config = line({ displayType: 'table', select, numberFormat: { output: 'byte' } })
    const total = tileTotal(config, planOf(config), [[point(0, [], '1', 2)]], scope.span)
    expect(total.columns.map(({ unit }) => unit)).toMatchObject([{ name: 'byte' }, { name: 'duration' }])
  })

  test('without rows count zero, and have no measured value', () => {
    const select = [{ aggFn: 'count' }, { aggFn: 'avg', valueExpression: 'd' }]
    const config = line({ displayType: 'table', select })
    expect(tileTotal(config, planOf(config), [[]], scope.span).rows).toEqual([{ group: [], values: [0, null] }])
    const grouped = line({ displayType: 'table', groupBy: 'g' })
    expect(tileTotal(grouped, planOf(grouped), [[]], scope.span).rows).toEqual([])
  })

  test('without a group that another series has count zero, and a ratio of zero', () => {
    const select = [{ aggFn: 'count' }, { aggFn: 'count', where: 'a:b' }, { aggFn: 'avg', valueExpression: 'd' }]
    const config = line({ displayType: 'table', groupBy: 'g', select })
    expect(tileTotal(config, planOf(config), [[point(0, ['a'], '4')]], scope.span).rows).toEqual([
      { group: ['a'], values: [4, 0, null] },
    ])
    const share = { ...config, formulas: [{ expression: 'B / A' }] }
    expect(tileTotal(share, planOf(share), [[point(0, ['a'], '4')]], scope.span).rows[0]?.values).toEqual([0])
  })

  test('of a total that is not additive say so', () => {
    const config = line({ displayType: 'number', select: [{ aggFn: 'avg', valueExpression: 'd' }] })
    const total = tileTotal(config, planOf(config), [[point(-1, [], 10), point(2, [], 20)]], scope.span)
    expect(total.columns[0]?.approximate).toBe(true)
    expect(total.rows[0]?.values[0]).toBeGreaterThanOrEqual(10)
    expect(total.rows[0]?.values[0]).toBeLessThanOrEqual(20)
  })

  test('accept numbers in any notation, and null for missing values', () => {
    const config = line()
    const spelled = ['42', 42, null, 'nan-ish'].map((value, index) => point(index, [], value))
    expect(tileLines(config, planOf(config), [spelled])[0]?.points.map(([, value]) => value)).toEqual([
      42,
      42,
      null,
      null,
    ])
  })
})

test('a formula has the arithmetic result, or no value if one is missing', () => {
  const value = (index: number) => [8, 2, null][index] ?? null
  expect(evaluateFormula(parseFormula('-(A - B) * 2 / 4'), value)).toBe(-3)
  expect(evaluateFormula(parseFormula('A / (B - 2)'), value)).toBeNull()
  expect(evaluateFormula(parseFormula('A + C'), value)).toBeNull()
})

test('groupings are split outside of brackets and quotes, and joined again', () => {
  const part = fc.constantFrom(
    'ServiceName',
    "LogAttributes['a,b']",
    'round(x, 2)',
    '"odd, name"',
    "concat('it\\'s, ', y)",
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      expect(splitExpressions(parts.join(', '))).toEqual(parts)
    }),
  )
  expect(splitExpressions(' , a,, b ')).toEqual(['a', 'b'])
})

test('number formats become units; a series without one has the unit of what it reads, formulas that of their series', () => {
  const unitsOf = (more: object) => {
    const select = [{ aggFn: 'quantile', valueExpression: 'Duration' }, { aggFn: 'count' }]
    const config = line({ select, ...more })
    const automatic = ({ aggFn }: SelectItem) => (aggFn === 'count' ? 'number' : 'ns')
    return tileLines(
      config,
      planOf(config),
      [[{ ts_bucket: start, 'series_0.data': 1, 'series_1.data': 2 }]],
      automatic,
    ).map(({ unit }) => unit)
  }
  expect(unitsOf({})).toEqual(['ns', 'number'])
  expect(unitsOf({ numberFormat: { output: 'percent' } })).toMatchObject([{ name: 'percent' }, { name: 'percent' }])
  const formulas = ['A + A', 'A * B', 'A / B', 'A / A', 'A + B', 'A / 1000'].map((expression) => ({ expression }))
  expect(unitsOf({ formulas })).toEqual(['ns', 'ns', 'ns', 'number', 'number', 'number'])
  expect(unitsOf({ asRatio: true })).toEqual(['ns'])
})

test('the range before a total ends where it begins, for metrics by whole buckets', () => {
  const number = line({ displayType: 'number' })
  const plan = planOf(number)
  const [now, before] = [plan, previousPlan(plan)].map(({ requests }) => requests[0]!.query)
  expect(before).toEqual({ ...now, startTime: now!.startTime - 6 * hour, endTime: now!.startTime })
  expect(previousPlan(plan).span).toEqual({ from: start - 6 * hour, to: start })
  const metric = planOf(line({ displayType: 'number', select: [{ aggFn: 'sum', metricName: 'm', metricType: 'sum' }] }))
  const moved = metric.requests[0]!.query.startTime - previousPlan(metric).requests[0]!.query.startTime
  expect(moved % metric.bucketMs).toBe(0)
  expect(moved).toBeGreaterThanOrEqual(metric.span.to - metric.span.from)
})

describe('approximations and missing conditions', () => {
  test('mark the non-additive column of two, and a formula over it', () => {
    const config = line({
      displayType: 'table',
      select: [{ aggFn: 'count' }, { aggFn: 'avg', valueExpression: 'Duration' }],
      formulas: [{ expression: 'A' }, { expression: 'A * B' }],
      showOperandSeries: true,
    })
    const plan = planOf(config)
    const point = (at: number) => ({ ts_bucket: start + at * plan.bucketMs, 'series_0.data': 1, 'series_1.data': 2 })
    const { columns } = tileTotal(config, plan, [[point(0), point(1)]], scope.span)
    expect(columns.map(({ approximate }) => approximate)).toEqual([false, true, false, true])
  })

  const service = { name: 'service', expression: 'ServiceName', values: ['api'] }

  test('variables are replaced by their values, in the language of each condition', () => {
    const config = line({
      groupBy: '$__filter(service)',
      select: [
        { aggFn: 'count', where: 'ServiceName:$service' },
        { aggFn: 'avg', valueExpression: 'x IN ($service)', where: '$__filter(service)', whereLanguage: 'sql' },
      ],
    })
    const [request] = planOf(config, { variables: [service] }).requests
    expect(request?.query.series).toMatchObject([
      { where: 'ServiceName:("api")', groupBy: ["(toString(ServiceName) IN ('api'))"] },
      { field: "x IN ('api')", where: "(toString(ServiceName) IN ('api'))" },
    ])
  })

  test('report an unknown variable', () => {
    const config = line({ select: [{ aggFn: 'count', where: '$__filter(region)', whereLanguage: 'sql' }] })
    const plan = planTile(config, { ...scope, variables: [service] })
    expect(plan).toMatchObject({ kind: 'none', reason: expect.stringContaining('region') })
  })

  test('distinguish applied conditions from those for other sources', () => {
    const conditions: ScopeCondition[] = [
      { sql: 'a = 1', label: 'the filter A' },
      { sql: 'b = 1', label: 'the filter B', sourceIds: ['other'] },
    ]
    expect(planOf(line(), { conditions })).toMatchObject({
      conditions: ['the filter A'],
      notes: ['Not filtered by the filter B: it applies to other sources.'],
    })
  })
})
