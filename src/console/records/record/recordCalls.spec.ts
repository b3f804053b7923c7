import { expect, test } from 'vitest'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { webhook, webhooks } from '#contract/stack/webhooks.ts'
import { evictRecords, inputOf } from './recordCalls.ts'
import { defineResource } from './resource.ts'
import { noteResource } from './testing/noteResource.tsx'

const pipeResource = defineResource({
  api: pipes,
  noun: 'pipe',
  idParams: ['serviceId', 'dataPipeId'],
  paths: { list: paths.pipes, detail: paths.pipe, edit: paths.editPipe },
  nameOf: ({ id }) => id,
})

test('a record under another one is named by all parameters of its URL', () => {
  expect(inputOf(pipeResource, ['s1', 'p1'])).toEqual({ params: { serviceId: 's1', dataPipeId: 'p1' } })
  expect(pipeResource.paths.edit('c1', 's1', 'p1')).toBe('/c/c1/pipes/s1/p1/edit')
})

test('a deleted record leaves the list before the list is read again', () => {
  const [gone, stays] = ['w1', 'w2'].map((id) =>
    webhook.parse({ id, name: id, service: 'generic', url: 'https://a.example/', updatedAt: '1' }),
  )
  const { queryKey } = q('c1', webhooks.list, {})
  queryClient.setQueryData(queryKey, [gone!, stays!])
  void evictRecords(noteResource, 'c1', [['w1']])
  expect(queryClient.getQueryData(queryKey)).toEqual([stays])
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true)
})
