import { expect, test } from 'vitest'
import { z } from 'zod'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { parsed } from './requests.ts'

const numbers = z.object({ values: z.record(z.string(), z.number()) })

function refusal(value: unknown): ApiFailure {
  try {
    parsed(numbers, value, 'The body')
  } catch (error) {
    if (error instanceof ApiFailure) return error
    throw error
  }
  throw new Error('it was accepted')
}

test('an invalid value is refused with its fields', () => {
  const { error } = refusal({ values: { a: 1, b: 'x' } })
  expect(error.message).toMatch(/^The body is not valid: values\.b: /)
  expect(error.fields).toMatchObject([{ path: 'values.b' }])
})

test('an error stays short, however many and however long the wrong keys are', () => {
  const values = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`${at}${'k'.repeat(3000)}`, 'x']))
  expect(JSON.stringify(refusal({ values }).error).length).toBeLessThan(300_000)
})
