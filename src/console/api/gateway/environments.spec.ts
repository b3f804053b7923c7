import { afterEach, expect, test, vi } from 'vitest'
import { sampleConnection } from '#contract/testing/sampleConnection.ts'
import { queryClient } from '../queryClient.ts'
import { comparisonsQuery, connectionStatesQuery, readConnections } from './environments.ts'

const connection = sampleConnection({ id: 'us', name: 'US', stage: 'staging' })
const connections = [connection, { ...connection, id: 'eu', name: 'EU', stage: 'production' as const }]
const query = { ...connectionStatesQuery(connections), staleTime: 0 }
const state = (connectionId: string, alerts = 0) => ({
  connectionId,
  readAt: '2026-11-28T10:00:00.000Z',
  budget: { limit: null, remaining: null },
  counts: { alerts },
})

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

/** Answers one request after the other. @returns the queries that were sent */
function answers(...pages: object[]): string[] {
  const sent: string[] = []
  vi.stubGlobal('fetch', (path: string) => {
    sent.push(path.replace('/api/connection-states?', ''))
    return Promise.resolve(Response.json(pages.shift()))
  })
  return sent
}

test('asks on, for what is new, until nothing is being read', async () => {
  const shown: string[][] = []
  const sent = answers(
    { states: [state('eu')], reading: ['us'], cursor: 'p.1' },
    { states: [], reading: ['us'], cursor: 'p.1' },
    { states: [state('us', 3)], reading: [], cursor: 'p.2' },
  )
  const stop = queryClient.getQueryCache().subscribe(() => {
    shown.push(Object.keys(queryClient.getQueryData(query.queryKey)?.states ?? {}))
  })
  const read = await queryClient.fetchQuery(query)
  stop()
  expect(sent).toEqual([
    'reading=open&baseline=eu',
    'reading=follow&baseline=eu&since=p.1',
    'reading=follow&baseline=eu&since=p.1',
  ])
  expect(read).toMatchObject({ states: { eu: state('eu'), us: state('us', 3) }, reading: [], cursor: 'p.2' })
  expect(shown).toContainEqual(['eu'])
})

test('a page that stays open polls and keeps what has not changed, and a refresh reads everything', async () => {
  const sent = answers(
    { states: [state('eu'), state('us')], reading: [], cursor: 'p.2' },
    { states: [state('us', 4)], reading: [], cursor: 'p.3' },
    { states: [], reading: [], cursor: 'p.3' },
  )
  const first = await queryClient.fetchQuery(query)
  queryClient.setQueryData(query.queryKey, first, { updatedAt: Date.now() - 60_000 })
  const polled = await queryClient.fetchQuery(query)
  await readConnections(connections)
  expect(sent).toEqual([
    'reading=open&baseline=eu',
    'reading=poll&baseline=eu&since=p.2',
    'reading=fresh&baseline=eu&since=p.3',
  ])
  expect(polled.states).toEqual({ eu: state('eu'), us: state('us', 4) })
})

test('comparisons arrive in a few responses: what is known already is asked for at once, the rest is followed', async () => {
  const sent: string[] = []
  const row = (connectionId: string) => ({ connectionId, baseline: 'eu', readAt: '', kinds: {}, rows: [] })
  const pages = [
    { comparisons: [row('eu')], comparing: ['us'], isCut: true, cursor: 'p.1' },
    { comparisons: [], comparing: ['us'], isCut: false, cursor: 'p.1' },
    { comparisons: [row('us')], comparing: [], isCut: false, cursor: 'p.2' },
  ]
  vi.stubGlobal('fetch', (path: string) => {
    sent.push(path)
    return Promise.resolve(Response.json(pages.shift()))
  })
  const read = await queryClient.fetchQuery(comparisonsQuery(connections, 'eu'))
  const path = '/api/connections/eu/comparisons?'
  expect(sent).toEqual([path, `${path}since=p.1`, `${path}since=p.1`])
  expect(read).toEqual({ comparisons: { eu: row('eu'), us: row('us') }, comparing: [], cursor: 'p.2' })
})
