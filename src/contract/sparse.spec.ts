/** Deployments leave fields out, or say null: what a record has at least is its id. */
import { describe, expect, test } from 'vitest'
import { organization } from './organizations.ts'
import { pipe } from './pipes.ts'
import { service } from './services.ts'

describe.each([
  ['organization', organization],
  ['service', service],
  ['pipe', pipe],
] as const)('a sparse %s', (_, schema) => {
  test('has an id and nothing else', () => {
    expect(schema.parse({ id: 'a' })).toEqual({ id: 'a' })
    expect(schema.safeParse({}).success).toBe(false)
  })

  test('says null for all else, and keeps it', () => {
    const nulls = Object.fromEntries(Object.keys(schema.shape).map((field) => [field, null]))
    expect(schema.parse({ ...nulls, id: 'a' })).toEqual({ ...nulls, id: 'a' })
  })
})
