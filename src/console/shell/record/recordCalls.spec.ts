import { Webhook as WebhookIcon } from 'lucide-react'
import { expect, test } from 'vitest'
import { paths } from '#console/paths/paths.ts'
import { pipes } from '#contract/pipes.ts'
import { inputOf } from './recordCalls.ts'
import { defineResource } from './resource.ts'

const pipeResource = defineResource({
  api: pipes,
  noun: 'pipe',
  icon: WebhookIcon,
  idParams: ['serviceId', 'dataPipeId'],
  paths: { list: paths.pipes, detail: paths.pipe, edit: paths.editPipe },
  nameOf: ({ id }) => id,
})

test('a record under another one is named by all parameters of its URL', () => {
  expect(inputOf(pipeResource, ['s1', 'p1'])).toEqual({ params: { serviceId: 's1', dataPipeId: 'p1' } })
  expect(pipeResource.paths.edit('c1', 's1', 'p1')).toBe('/c/c1/pipes/s1/p1/edit')
})
