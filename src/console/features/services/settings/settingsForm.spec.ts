import { array, assert, boolean, constantFrom, dictionary, property, record, string, uniqueArray } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  formValues,
  nameProblem,
  readValues,
  rebasedRows,
  rowsOf,
  settingChanges,
  settingRequests,
  settingsBody,
  settingWarnings,
  valueProblem,
} from './settingsForm.ts'

const names = constantFrom('max_threads', 'max_memory_usage', 'async_insert', 'join_algorithm')
const values = dictionary(names, string({ minLength: 1, maxLength: 5 }))
const rows = uniqueArray(record({ name: names, value: string({ minLength: 1, maxLength: 5 }), reset: boolean() }), {
  selector: ({ name }) => name,
})

describe('the requests of the form', () => {
  it('are none without a change', () => {
    assert(
      property(values, (stored) => {
        const form = { rows: rowsOf(stored) }
        expect(settingRequests(form, stored)).toEqual({ set: {}, reset: [] })
        expect(settingChanges(form, stored)).toEqual([])
      }),
    )
  })

  it('lead from what is stored to what the form shows', () => {
    assert(
      property(values, rows, (stored, list) => {
        const { set, reset } = settingRequests({ rows: list }, stored)
        const after = Object.fromEntries(
          Object.entries({ ...stored, ...set }).filter(([name]) => !reset.includes(name)),
        )
        expect(after).toEqual(formValues({ rows: list }))
      }),
    )
  })
})

test('a form on top of other changes keeps its own, except for what was taken over', () => {
  assert(
    property(values, values, rows, array(names), (before, theirs, list, taken) => {
      const own = settingRequests({ rows: list }, before)
      const result = formValues({ rows: rebasedRows({ rows: list }, before, theirs, taken) })
      const isTaken = (name: string) => taken.some((other) => other === name)
      for (const name of taken) expect(result[name]).toBe(theirs[name])
      for (const [name, value] of Object.entries(own.set)) if (!isTaken(name)) expect(result[name]).toBe(value)
      for (const name of own.reset) if (!isTaken(name)) expect(result).not.toHaveProperty(name)
    }),
  )
})

test('values are sent in the JSON type of their setting, and read from any', () => {
  const schemas = new Map(
    [
      ['max_threads', 'UInt64'],
      ['async_insert', 'Bool'],
      ['join_algorithm', 'String'],
    ].map(([name = '', type = '']) => [name, { name, type }]),
  )
  const set = { max_threads: '8', async_insert: '1', join_algorithm: '1', unknown: '1' }
  expect(settingsBody(set, schemas)).toEqual({ settings: { ...set, max_threads: 8, async_insert: 1 } })
  const large = { max_threads: '18446744073709551615' }
  expect(settingsBody(large, schemas)).toEqual({ settings: large })
  expect(readValues({ settings: [{ name: 'max_threads', value: 8 }] })).toEqual({ max_threads: '8' })
})

test.each([
  ['8', { name: 'a', type: 'UInt64' }, null],
  ['-8', { name: 'a', type: 'UInt64' }, 'Must be a whole number that is not negative'],
  ['many', { name: 'a', type: 'Int64' }, 'Must be a whole number'],
  ['1.5', { name: 'a', type: 'Float' }, null],
  ['yes', { name: 'a', type: 'Bool' }, 'Must be 0 or 1'],
  ['hash', { name: 'a', type: 'String', values: ['direct', 'hash'] }, null],
  ['1', { name: 'a', type: 'UInt64', enum: [0, 1] }, null],
  ['2', { name: 'a', type: 'UInt64', enum: [0, 1] }, 'Must be one of 0, 1'],
  ['merge', { name: 'a', type: 'String', enum: ['direct', 'hash'] }, 'Must be one of direct, hash'],
  ["'auto(8)'", { name: 'a', type: 'MaxThreads' }, null],
  ['anything', undefined, null],
  [' ', undefined, 'Enter a value, or reset the setting'],
])('the value %j of %j is judged as %j', (value, schema, problem) => {
  expect(valueProblem(value, schema)).toBe(problem)
})

test('a name is added once, and only if it may be one', () => {
  const form = { rows: rowsOf(readValues({ settings: [{ name: 'max_threads', value: '8' }] })) }
  const schemas = new Map([['max_threads', { name: 'max_threads' }]])
  expect(nameProblem('max_threads', form, schemas)).toBe('max_threads is in the list')
  expect(nameProblem('Max Threads', form, schemas)).toContain('is not the name')
  expect(nameProblem('max_memory_usage', form, schemas)).toContain('has no setting')
  expect(nameProblem('max_memory_usage', form, new Map())).toBeNull()
})

test('warnings and deprecations of the changed settings are listed', () => {
  const schemas = new Map([
    ['a', { name: 'a', warning: 'The service restarts.' }],
    ['b', { name: 'b', deprecationNotice: 'Has no effect.' }],
  ])
  expect(settingWarnings(['b', 'a', 'c'], schemas)).toEqual(['b: Has no effect.', 'a: The service restarts.'])
})
