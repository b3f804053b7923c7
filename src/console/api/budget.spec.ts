// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { budgetHeaders } from '#contract/gatewayWire.ts'
import { noteBudget, useBudget, type Budget } from './budget.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

test('each connection has the budget that its last answer told', async () => {
  const seen: Record<string, Budget | undefined> = {}
  function Reader({ id }: { id: string }) {
    seen[id] = useBudget(id)
    return null
  }
  const root = createRoot(document.createElement('div'))
  await act(() =>
    root.render([createElement(Reader, { id: 'a', key: 'a' }), createElement(Reader, { id: 'b', key: 'b' })]),
  )
  expect(seen).toEqual({ a: undefined, b: undefined })

  const headers = new Headers({
    [budgetHeaders.limit]: '10',
    [budgetHeaders.remaining]: '4',
    [budgetHeaders.reset]: '3',
  })
  await act(() => noteBudget('a', headers, 1000))
  expect(seen).toEqual({ a: { limit: 10, remaining: 4, resetAt: 4000 }, b: undefined })

  await act(() => noteBudget('a', new Headers(), 2000))
  expect(seen.a?.remaining).toBe(4)
})
