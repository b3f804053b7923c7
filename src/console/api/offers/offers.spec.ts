import { expect, test } from 'vitest'
import { isOffered, recordOffer } from './offers.ts'

const charts = { resource: 'charts', unspecified: false, mutates: false } as const
const connection = { id: 'c', variant: 'openSource', naming: 'neutral', baseUrl: 'http://127.0.0.1:8000' } as const

test('a variant offers what is specified for it, until a deployment says otherwise', () => {
  expect(isOffered(connection, 'charts', ['openSource'])).toBe(true)
  recordOffer('c', charts, 'notOffered')
  expect(isOffered(connection, 'charts', ['openSource'])).toBe(false)
})

test('the staging environment of the sample is not asked for telemetry', () => {
  const staging = { ...connection, id: 'staging', baseUrl: 'http://127.0.0.1:8000/sample-staging' }
  expect(isOffered(staging, 'charts', ['openSource'])).toBe(false)
  expect(isOffered(staging, 'search', ['openSource'])).toBe(false)
  expect(isOffered(staging, 'alerts', ['openSource'])).toBe(true)
  // An answer of the deployment takes precedence.
  recordOffer('staging', charts, 'offered')
  expect(isOffered(staging, 'charts', ['openSource'])).toBe(true)
})
