import { expect, test } from 'vitest'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { sampleConnection } from '#contract/testing/sampleConnection.ts'
import { knownPipes } from './useRecords.ts'

const connectionOf = (id: string) =>
  sampleConnection({
    id,
    name: id,
    variant: 'managed',
    stage: 'local',
    baseUrl: 'http://127.0.0.1:8000',
    allowPrivate: true,
  })

test('finds the pipes of all services and connections that were read', () => {
  const pipeOf = (id: string) => ({ id, name: id, state: 'Running' })
  const put = (connectionId: string, serviceId: string, ...ids: string[]) =>
    queryClient.setQueryData(q(connectionId, pipes.list, { params: { serviceId } }).queryKey, ids.map(pipeOf))
  put('eu', 's1', 'orders')
  put('eu', 's2', 'payments', 'refunds')
  put('us', 's3', 'clicks')
  put('hidden', 's4', 'secret')
  // The read of a single pipe is no list.
  queryClient.setQueryData(['eu', 'pipes', 'get', { params: { serviceId: 's1', pipeId: 'orders' } }], pipeOf('orders'))
  const found = knownPipes([connectionOf('us'), connectionOf('eu'), connectionOf('unread')])
  expect(found.map(({ connection, serviceId, pipe }) => `${connection.id}/${serviceId}/${pipe.id}`)).toEqual([
    'us/s3/clicks',
    'eu/s1/orders',
    'eu/s2/payments',
    'eu/s2/refunds',
  ])
})
