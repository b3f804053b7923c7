import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { queryClient } from '../queryClient.ts'
import { useCached } from './useCached.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const lengthOf = (data: unknown) => (Array.isArray(data) ? data.length : null)

test('follows what others read, sends nothing, and leaves their query function in place', async () => {
  const complaints = vi.spyOn(console, 'error')
  const key = [crypto.randomUUID(), 'alerts', 'list', {}]
  const read = vi.fn<() => Promise<number[]>>()
  read.mockResolvedValueOnce([1, 2]).mockResolvedValueOnce([1, 2, 3])
  const Count = () => <b>{useCached(key, lengthOf)}</b>
  const Page = () => <i>{useQuery({ queryKey: key, queryFn: read }).data?.length}</i>
  const container = document.createElement('div')
  const root = createRoot(container)
  const draw = (page: boolean) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={queryClient}>
          {page && <Page />}
          <Count />
        </QueryClientProvider>,
      ),
    )

  await draw(false)
  expect(container.innerHTML).toBe('<b></b>')
  expect(read).not.toHaveBeenCalled()

  await draw(true)
  await vi.waitFor(() => expect(container.innerHTML).toBe('<i>2</i><b>2</b>'), { timeout: 30_000 })

  await act(() => queryClient.invalidateQueries({ queryKey: key }))
  await vi.waitFor(() => expect(container.innerHTML).toBe('<i>3</i><b>3</b>'), { timeout: 30_000 })
  expect(read).toHaveBeenCalledTimes(2)

  await act(async () => queryClient.removeQueries({ queryKey: key }))
  await draw(false)
  await vi.waitFor(() => expect(container.innerHTML).toBe('<b></b>'), { timeout: 30_000 })
  expect(complaints.mock.calls.flat().filter((text) => String(text).includes('queryFn'))).toEqual([])
  await act(async () => root.unmount())
})
