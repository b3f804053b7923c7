/** Deployments omit fields or return null. Only the ID of a record is required. */
import { describe, expect, test } from 'vitest'
import { organization } from '../cloud/organization/organizations.ts'
import { pipe } from '../cloud/pipes/pipes.ts'
import { service } from '../cloud/services/services.ts'

describe.each([
  ['organization', organization],
  ['service', service],
  ['pipe', pipe],
] as const)('a sparse %s', (_, schema) => {
  test('requires only an ID', () => {
    expect(schema.parse({ id: 'a' })).toEqual({ id: 'a' })
    expect(schema.safeParse({}).success).toBe(false)
  })

  test('reads other missing fields as null', () => {
    const nulls = Object.fromEntries(Object.keys(schema.shape).map((field) => [field, null]))
    expect(schema.parse({ ...nulls, id: 'a' })).toEqual({ ...nulls, id: 'a' })
  })
})
