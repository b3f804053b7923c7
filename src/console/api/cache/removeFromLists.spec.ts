import { beforeEach, expect, it } from 'vitest'
import { webhooks } from '#contract/stack/webhooks.ts'
import { queryClient, queryKey } from '../queryClient.ts'
import { removeFromLists } from './removeFromLists.ts'

const [first, second] = [{ id: '1' }, { id: '2' }]

beforeEach(() => queryClient.clear())

it('removes records from the lists of their connection alone', () => {
  const [here, elsewhere] = ['here', 'elsewhere'].map((connection) => queryKey(connection, webhooks.list, {}))
  for (const key of [here, elsewhere]) queryClient.setQueryData(key ?? [], [first, second])
  removeFromLists('here', webhooks.list, ['1'])
  expect(queryClient.getQueryData(here ?? [])).toEqual([second])
  expect(queryClient.getQueryData(elsewhere ?? [])).toEqual([first, second])
})

it('leaves a list that is still loading to its response', () => {
  removeFromLists('here', webhooks.list, ['1'])
  expect(queryClient.getQueryCache().getAll()).toEqual([])
})
