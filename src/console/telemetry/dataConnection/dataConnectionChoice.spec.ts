import { expect, test } from 'vitest'
import { defaultDataConnectionChoice } from './dataConnectionChoice.ts'

const local = 'http://127.0.0.1:8000'
const managed = { id: 'm', variant: 'managed', baseUrl: local } as const
const openSource = { id: 'o', variant: 'openSource', baseUrl: local } as const
const elsewhere = { id: 'e', variant: 'openSource', baseUrl: 'https://hyperdx.example' } as const

test('pairs a managed connection with the first open-source one at the same address', () => {
  const second = { ...openSource, id: 'second' }
  expect(defaultDataConnectionChoice(managed, [managed, elsewhere, openSource, second])).toEqual({
    connectionId: 'o',
    sources: {},
  })
})

test('pairs nothing without one at that address, or if it is not needed', () => {
  expect(defaultDataConnectionChoice(managed, [managed, elsewhere])).toBeNull()
  expect(defaultDataConnectionChoice(openSource, [managed, openSource])).toBeNull()
})
