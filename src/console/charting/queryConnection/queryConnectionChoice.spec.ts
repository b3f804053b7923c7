import { expect, test } from 'vitest'
import { defaultQueryConnectionChoice } from './queryConnectionChoice.ts'

const local = 'http://127.0.0.1:8000'
const managed = { id: 'm', variant: 'managed', baseUrl: local } as const
const openSource = { id: 'o', variant: 'openSource', baseUrl: local } as const
const elsewhere = { id: 'e', variant: 'openSource', baseUrl: 'https://hyperdx.example' } as const

test('pairs a managed connection with the first open-source one at the same address', () => {
  const second = { ...openSource, id: 'second' }
  expect(defaultQueryConnectionChoice(managed, [managed, elsewhere, openSource, second])).toEqual({
    connectionId: 'o',
    sources: {},
  })
})

test('pairs nothing without one at that address, or if it is not needed', () => {
  expect(defaultQueryConnectionChoice(managed, [managed, elsewhere])).toBeNull()
  expect(defaultQueryConnectionChoice(openSource, [managed, openSource])).toBeNull()
})
