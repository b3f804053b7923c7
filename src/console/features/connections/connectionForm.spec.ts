import { describe, expect, test } from 'vitest'
import type { Connection } from '#contract/console/connections.ts'
import { changedLabels, connectionSchema, formOf, inputOf, removedProtection, newConnection } from './connectionForm.ts'

const stored: Connection = {
  id: 'c1',
  name: 'Production EU',
  variant: 'managed',
  baseUrl: 'https://api.example.com',
  organizationId: 'org-1',
  serviceId: 'service-1',
  naming: 'clickhouse',
  stage: 'production',
  readOnly: true,
  allowPrivate: false,
  keyId: 'key-1',
  secretEnd: 'wxyz',
  createdAt: '2026-11-20T00:00:00Z',
  updatedAt: '2026-11-20T00:00:00Z',
}

/** The fields with an error. */
function errorsOf(form: ReturnType<typeof formOf>, connection?: Connection): string[] {
  const { issues = [] } = connectionSchema(connection).safeParse(form).error ?? {}
  return [...new Set(issues.map(({ path }) => String(path[0])))]
}

describe('request body', () => {
  test('of an unchanged form is what is stored, without a secret', () => {
    const { id: _, secretEnd: __, createdAt: ___, updatedAt: ____, ...input } = stored
    expect(inputOf(formOf(stored))).toEqual(input)
    expect(changedLabels(formOf(stored), formOf(stored))).toEqual([])
  })

  test('has keys without whitespace, and no fields of the other variant', () => {
    const form = {
      ...formOf(stored),
      variant: 'openSource' as const,
      accessKey: ' abc\n',
      baseUrl: 'https://host:8000/ ',
    }
    expect(inputOf(form)).toMatchObject({ accessKey: 'abc', baseUrl: 'https://host:8000' })
    expect(inputOf(form)).not.toHaveProperty('organizationId')
    expect(inputOf(form)).not.toHaveProperty('keyId')
  })
})

describe('validation', () => {
  test('an edit keeps its key until the address changes', () => {
    expect(errorsOf(formOf(stored), stored)).toEqual([])
    expect(errorsOf({ ...formOf(stored), baseUrl: 'https://api.example.com/' }, stored)).toEqual([])
    const moved = { ...formOf(stored), baseUrl: 'https://other.example.com' }
    expect(errorsOf(moved, stored)).toEqual(['keySecret'])
    expect(errorsOf({ ...moved, keySecret: 'new' }, stored)).toEqual([])
  })

  test('a new connection requires its key', () => {
    const form = { ...newConnection, name: 'Local', baseUrl: 'http://localhost:8000' }
    expect(errorsOf(form)).toEqual(['accessKey'])
    expect(errorsOf({ ...form, variant: 'managed' })).toEqual(['organizationId', 'serviceId', 'keySecret', 'keyId'])
    expect(errorsOf({ ...form, accessKey: 'k', baseUrl: 'localhost' })).toEqual(['baseUrl'])
  })
})

test('warns before a save removes protection', () => {
  const form = formOf(stored)
  expect(removedProtection(stored, form)).toBeNull()
  expect(removedProtection(stored, { ...form, stage: 'staging' })).toBe('production')
  const staging: Connection = { ...stored, stage: 'staging', readOnly: true }
  expect(removedProtection(staging, formOf(staging))).toBeNull()
  expect(removedProtection(staging, { ...formOf(staging), readOnly: false })).toBe('readOnly')
  expect(removedProtection(staging, { ...formOf(staging), readOnly: false, stage: 'production' })).toBeNull()
})

test('the minutes of unlocked writes are not part of the form', () => {
  const lifted: Connection = { ...stored, readOnly: false, readOnlyLiftedUntil: '2026-11-20T00:15:00Z' }
  expect(formOf(lifted)).toEqual(formOf(stored))
})
