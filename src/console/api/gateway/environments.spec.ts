import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from '../queryClient.ts'
import { connectionStateQuery } from './environments.ts'

afterEach(() => vi.unstubAllGlobals())

test('reading a connection again gives way to what somebody waits for', async () => {
  const sent: string[] = []
  vi.stubGlobal('fetch', (path: string) => {
    sent.push(path)
    return Promise.resolve(Response.json({ connectionId: 'eu' }))
  })
  for (let read = 0; read < 2; read++) await queryClient.fetchQuery({ ...connectionStateQuery('eu'), staleTime: 0 })
  expect(sent).toEqual(['/api/connections/eu/state', '/api/connections/eu/state?background=1'])
})
