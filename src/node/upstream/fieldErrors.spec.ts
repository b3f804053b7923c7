import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { namingProfiles } from '#contract/wire/naming.ts'
import { fieldErrors, issueFields } from './fieldErrors.ts'

const { neutral, clickhouse } = namingProfiles

test.each([
  ['Body validation failed: name: Required', [['name', 'Required']]],
  [
    'Body validation failed: tiles.0.config.select: Invalid input; name: String must contain at least 1 character(s)',
    [
      ['tiles.0.config.select', 'Invalid input'],
      ['name', 'String must contain at least 1 character(s)'],
    ],
  ],
  ["Body validation failed: a: Expected 'x'; 'y' or z: maybe", [['a', "Expected 'x'; 'y' or z: maybe"]]],
  ['Body validation failed: Either this or that', []],
  ['Body validation failed: name: Required; Params validation failed: id: Invalid ObjectId', [['name', 'Required']]],
  ['Params validation failed: id: Invalid ObjectId', []],
  ['Query validation failed: limit: too large', []],
  [
    'BAD_REQUEST: request body.numReplicas: Number must be greater than 3 <number:0>',
    [['numReplicas', 'Number must be greater than 3']],
  ],
  [
    'BAD_REQUEST: request body.ipAccessList value is not an array: undefined',
    [['ipAccessList', 'value is not an array: undefined']],
  ],
  ['BAD_REQUEST: request body.tiles[0].w: too wide', [['tiles.0.w', 'too wide']]],
  ["BAD_REQUEST: request body property can't be validated: id", [['id', 'is not accepted here']]],
  ['BAD_REQUEST: Body validation failed: name: Required', [['name', 'Required']]],
  ['Dashboard not found', []],
  ['', []],
])('%s', (message, fields) => {
  expect(fieldErrors(message, neutral).map(({ path, message }) => [path, message])).toEqual(fields)
})

test('translates paths to neutral names', () => {
  expect(fieldErrors('BAD_REQUEST: request body.settings.clickhouse_max_threads: no', clickhouse)).toEqual([
    { path: 'settings.db_max_threads', message: 'no' },
  ])
})

test('reads issues of a validator', () => {
  const issues = [
    { path: ['a', 0, 'b'], message: 'no' },
    { path: 'c.d', message: 'neither' },
    { path: [], message: 'root' },
    1,
  ]
  expect(issueFields(issues, neutral)).toEqual([
    { path: 'a.0.b', message: 'no' },
    { path: 'c.d', message: 'neither' },
  ])
})

test('splits errors that a deployment joined', () => {
  const path = fc.stringMatching(/^[a-zA-Z]\w{0,8}(\.\w{1,5}){0,3}$/)
  const message = fc.stringMatching(/^[A-Z][a-z ,'()]{0,30}$/)
  fc.assert(
    fc.property(fc.array(fc.tuple(path, message), { minLength: 1, maxLength: 5 }), (fields) => {
      const text = `Body validation failed: ${fields.map(([path, message]) => `${path}: ${message}`).join('; ')}`
      const trimmed = fields.map(([path, message], at) => [
        path,
        at === fields.length - 1 ? message.trimEnd() : message,
      ])
      expect(fieldErrors(text, neutral).map(({ path, message }) => [path, message])).toEqual(trimmed)
    }),
  )
})

test.each([
  ['<string:a<b>', ''],
  ['wide  <number:0>', 'wide'],
  ['wide <a:1> <b:2>', 'wide <a:1>'],
  ['wide <b>', 'wide <b>'],
  ['<x:<y:1>', ''],
])('%s is %j without the value at its end', (text, message) => {
  expect(fieldErrors(`request body.a: x${text}`, neutral)).toEqual([{ path: 'a', message: `x${message}` }])
})

const long = (text: string) => text.repeat(300_000 / text.length)

// A pattern that starts again at each character takes minutes for one of these.
test.each([
  ['spaces', `Body validation failed: a: ${long(' ')}x`, 1],
  ['separators', `Body validation failed: a: ${long('; ')}x`, 1],
  ['fields', `Body validation failed: ${long('a: b; ')}`, 50_000],
  ['sections', long('Body validation failed: '), 0],
  ['spaces in a body', `request body.a: ${long(' ')}x`, 1],
  ['values', `request body.a: ${long('<a:')}`, 1],
  ['closed values', `request body.a: ${long(' <a:>')}x`, 1],
  ['a path', `request body.${long('a[b].')}`, 0],
  ['bodies', long('request body.a '), 1],
])('reads a message of 300,000 characters once: %s', (_, message, count) => {
  expect(fieldErrors(message, neutral)).toHaveLength(count)
})
