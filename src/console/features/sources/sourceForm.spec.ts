import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LosslessNumber, parseJson, stringifyJson } from '#contract/wire/json.ts'
import { sourceInputStrict } from '#contract/stack/sourceRules.ts'
import { source as sourceSchema, sourceInput, type Source } from '#contract/stack/sources.ts'
import { correlatedNames, expressionNames } from './fields.ts'
import {
  changedFields,
  emptyForm,
  fieldAt,
  formSchema,
  readForm,
  sameWritable,
  withUsualNames,
  writable,
  writeBody,
  type SourceField,
  type SourceForm,
} from './sourceForm.ts'

const text = fc.string({ minLength: 1, maxLength: 20 })
const optional = Object.fromEntries([...expressionNames, ...correlatedNames].map((name) => [name, fc.option(text)]))

/** Sources as deployments return them: with or without optional fields, null or not, with unknown fields. */
const anySource: fc.Arbitrary<Source> = fc
  .record(
    {
      id: fc.constant('a'.repeat(24)),
      name: text,
      kind: fc.constantFrom('log', 'trace', 'metric', 'session', 'promql', 'later'),
      connection: text,
      from: fc.record({ databaseName: text, tableName: text, more: fc.integer() }),
      disabled: fc.boolean(),
      section: fc.option(text),
      metricTables: fc.record({ gauge: text, sum: text }, { requiredKeys: [] }),
      durationPrecision: fc.constantFrom(3, new LosslessNumber('9.0')),
      materializedViews: fc.array(
        fc.record({ tableName: text, rows: fc.constant(new LosslessNumber('9007199254740993')) }),
      ),
      querySettings: fc.constant([]),
      filterSettings: fc.constant({ tableName: 'rollup', columns: [{ name: 'ServiceName', label: 'Service' }] }),
      highlightedTraceAttributeExpressions: fc.constant([]),
      highlightedRowAttributeExpressions: fc.constant([]),
      unknown: fc.jsonValue(),
      teamId: text,
      ...optional,
    },
    { requiredKeys: ['id', 'name', 'kind', 'connection', 'from'] },
  )
  .map((raw) => sourceSchema.catch(raw as never).parse(raw)) // a null that the schema does not allow stays unchanged

describe('edit', () => {
  test('without changes sends what was read, and reports no changes', () => {
    fc.assert(
      fc.property(anySource, (read) => {
        expect(changedFields(readForm(read), read)).toEqual([])
        expect(writeBody(readForm(read), read)).toEqual(writable(read))
      }),
    )
  })

  test('of one field changes only that field', () => {
    const field = fc.constantFrom<SourceField>('name', 'tableName', 'bodyExpression', 'logSourceId', 'section')
    fc.assert(
      fc.property(anySource, field, text, (read, name, value) => {
        const form: SourceForm = { ...readForm(read), [name]: `${value}!` }
        const key = name === 'tableName' ? 'from' : name
        const { [key]: _, ...before } = writable(read)
        const { [key]: after, ...rest } = writeBody(form, read)
        expect(rest).toEqual(before)
        expect(after).toEqual(
          name === 'tableName'
            ? { ...read.from, tableName: `${value}!`.trim(), databaseName: read.from?.databaseName.trim() }
            : name === 'name'
              ? `${value}!`.trim()
              : `${value}!`,
        )
      }),
    )
  })

  test('of the further fields replaces only those', () => {
    const read = sourceSchema.parse({
      id: 'a',
      name: 'n',
      kind: 'log',
      connection: 'c',
      from: { databaseName: 'd', tableName: 't' },
      querySettings: [{ setting: 'a', value: '1' }],
      later: 1,
    })
    const form = { ...readForm(read), rest: '{"later": 12345678901234567890}' }
    expect(changedFields(form, read)).toEqual(['rest'])
    const body = writeBody(form, read)
    expect(body).not.toHaveProperty('querySettings')
    expect(stringifyJson(body['later'])).toBe('12345678901234567890')
    expect(
      changedFields({ ...form, rest: '{ "later":1, "querySettings":[{"value":"1","setting":"a"}] }' }, read),
    ).toEqual([])
  })

  test('to another kind drops fields that the kind does not have', () => {
    const read = sourceSchema.parse({
      id: 'a',
      name: 'n',
      kind: 'trace',
      connection: 'c',
      from: { databaseName: 'd', tableName: 't' },
      timestampValueExpression: 'T',
      durationExpression: 'D',
      durationPrecision: 9,
      serviceNameExpression: 'S',
      sessionSourceId: 'x',
    })
    const form = { ...readForm(read), kind: 'metric', gaugeTable: 'g', resourceAttributesExpression: 'R' }
    expect(writeBody(form, read)).toEqual({
      name: 'n',
      kind: 'metric',
      connection: 'c',
      from: { databaseName: 'd', tableName: 't' },
      timestampValueExpression: 'T',
      serviceNameExpression: 'S',
      resourceAttributesExpression: 'R',
      metricTables: { gauge: 'g' },
    })
  })
})

test.each(['log', 'trace', 'metric'])(
  'a new source of kind %s with the default column names is valid for the stack',
  (kind) => {
    const form = withUsualNames({ ...emptyForm('a'.repeat(24)), name: 'Mine', kind })
    expect(formSchema.safeParse(form).error?.issues).toBeUndefined()
    const body = writeBody(form, null)
    expect(sourceInput.parse(body)).toEqual(body)
    expect(sourceInputStrict.parse(body)).toMatchObject(body)
  },
)

test('default column names do not replace the input', () => {
  const form = withUsualNames({ ...emptyForm('c'), tableName: 'mine', bodyExpression: 'Text' })
  expect(form).toMatchObject({ tableName: 'mine', bodyExpression: 'Text', serviceNameExpression: 'ServiceName' })
})

test.each<[Partial<SourceForm>, SourceField[]]>([
  [{}, []],
  [{ name: ' ' }, ['name']],
  [{ tableName: '' }, ['tableName']],
  [{ defaultTableSelectExpression: '' }, ['defaultTableSelectExpression']],
  [{ kind: 'session' }, ['traceSourceId']],
  [{ kind: 'metric', tableName: '' }, ['gaugeTable']],
  [{ kind: 'later', defaultTableSelectExpression: '' }, []],
  [{ durationPrecision: 10 }, ['durationPrecision']],
  [{ durationPrecision: Number.NaN }, ['durationPrecision']],
  [{ rest: '[]' }, ['rest']],
  [{ rest: '{' }, ['rest']],
  [{ rest: '{"name": "twice"}' }, ['rest']],
  [{ rest: '{"id": "mine"}' }, ['rest']],
])('rejects %j at %j', (changes, fields) => {
  const form = { ...withUsualNames({ ...emptyForm('c'), name: 'Mine' }), ...changes }
  expect(formSchema.safeParse(form).error?.issues.map((issue) => issue.path[0]) ?? []).toEqual(fields)
})

test.each([
  ['from.databaseName', 'databaseName'],
  ['from', 'tableName'],
  ['metricTables.exponential histogram', 'exponentialTable'],
  ['metricTables', 'gaugeTable'],
  ['bodyExpression', 'bodyExpression'],
  ['materializedViews.0.tableName', 'rest'],
])('shows a rejected %s at %s', (path, field) => {
  expect(fieldAt(path)).toBe(field)
})

test('read-only fields are not a difference', () => {
  const read = sourceSchema.parse({ id: 'a', name: 'n', kind: 'log' })
  expect(sameWritable(read, { ...read, updatedAt: 'later', teamId: 't' })).toBe(true)
  expect(sameWritable(read, { ...read, later: parseJson('1e400') })).toBe(false)
})
