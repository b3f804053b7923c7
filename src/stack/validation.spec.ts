import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { alertInputStrict } from '#contract/stack/alerts.ts'
import { chartQuery } from '#contract/stack/charts.ts'
import { dashboardCreateStrict, dashboardUpdateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import { check } from './validation.ts'

const messageOf = (schema: z.ZodType, value: unknown) => {
  const checked = check(schema, value)
  return checked.ok ? null : checked.issues.map(({ message }) => message).join('; ')
}

describe('messages match those of deployments', () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ['missing', z.string(), undefined, 'Required'],
    ['null', z.number(), null, 'Expected number, received null'],
    ['a list', z.object({}), [], 'Expected object, received array'],
    ['text', z.array(z.string()), 'a', 'Expected array, received string'],
    ['not a number', z.number(), NaN, 'Expected number, received nan'],
    ['a fraction', z.int(), 1.5, 'Expected integer, received float'],
    ['text for an integer', z.int(), 'a', 'Expected number, received string'],
    ['short text', z.string().min(1), '', 'String must contain at least 1 character(s)'],
    ['long text', z.string().max(2), 'abc', 'String must contain at most 2 character(s)'],
    ['a short list', z.array(z.string()).min(1), [], 'Array must contain at least 1 element(s)'],
    ['a long list', z.array(z.string()).max(0), ['a'], 'Array must contain at most 0 element(s)'],
    ['a list of another length', z.array(z.string()).length(1), [], 'Array must contain exactly 1 element(s)'],
    ['too much', z.number().max(23), 24, 'Number must be less than or equal to 23'],
    ['too little', z.number().min(1), 0, 'Number must be greater than or equal to 1'],
    ['just too little', z.number().positive(), 0, 'Number must be greater than 0'],
    ['another choice', z.enum(['a', 'b']), 'c', "Invalid enum value. Expected 'a' | 'b', received 'c'"],
    ['no choice', z.enum(['a', 'b']), undefined, 'Required'],
    ['a number for a choice', z.enum(['a', 'b']), 1, "Expected 'a' | 'b', received number"],
    ['another constant', z.literal('a'), 'b', 'Invalid literal value, expected "a"'],
    ['no union', z.union([z.string(), z.number()]), true, 'Invalid input'],
    [
      'another kind',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      { kind: 'c' },
      "Invalid discriminator value. Expected 'a' | 'b'",
    ],
    ['an unknown key', z.strictObject({}), { id: 1, b: 2 }, "Unrecognized key(s) in object: 'id', 'b'"],
    ['another time', z.iso.datetime(), '2026-01-01', 'Invalid datetime'],
    ['no address', z.url(), 'x', 'Invalid url'],
    ['another form', z.string().regex(/^a$/), 'b', 'Invalid'],
    ['a rule of ours', z.string().refine(() => false, 'Ours'), 'b', 'Ours'],
  ])('%s', (_, schema, value, message) => {
    expect(messageOf(schema, value)).toBe(message)
  })

  test('every issue has a path and the received value', () => {
    const schema = z.object({ a: z.array(z.object({ b: z.number() })) })
    expect(check(schema, { a: [{ b: 1 }, { b: 'x' }] })).toEqual({
      ok: false,
      issues: [{ path: 'a.1.b', message: 'Expected number, received string', input: 'x' }],
    })
  })
})

/** JSON that is close to valid: the keys and values of our inputs, put together at random. */
const words =
  'name tiles config series select displayType configType sql line number markdown source tile interval 5m threshold ' +
  'thresholdType between channel channels webhook formulas expression A - filters containers tabs id aggFn count onClick ' +
  'type startTime endTime granularity auto groupBy where sourceId aaaaaaaaaaaaaaaaaaaaaaaa'
const word = fc.constantFrom(...words.split(' '))
const { near } = fc.letrec<{ near: unknown }>((tie) => ({
  near: fc.oneof(
    { depthSize: 'medium' },
    word,
    fc.constantFrom<unknown>(null, true, 0, 1, -1, 1.5, 1e13, '', []),
    fc.array(tie('near'), { maxLength: 3 }),
    fc.dictionary(word, tie('near'), { maxKeys: 8 }),
  ),
}))

test.each([
  ['alerts', alertInputStrict],
  ['new dashboards', dashboardCreateStrict],
  ['replaced dashboards', dashboardUpdateStrict],
  ['chart queries', chartQuery],
] as [string, z.ZodType][])('any input of %s is accepted or rejected without a crash', (_, schema) => {
  const body = fc.oneof(fc.jsonValue(), near)
  fc.assert(
    fc.property(body, (value) => {
      const checked = check(schema, value)
      if (!checked.ok) {
        expect(checked.issues.length).toBeGreaterThan(0)
        expect(checked.issues.every(({ message }) => message !== '')).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})
