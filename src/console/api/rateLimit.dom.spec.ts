import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { budgetHeaders } from '#contract/wire/gatewayWire.ts'
import { recordRateLimit, useRateLimit } from './rateLimit.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

function Budgets() {
  const [a, b] = [useRateLimit('a'), useRateLimit('b')]
  return JSON.stringify({ a, b })
}

test('each connection has the rate limit of its last response', async () => {
  const container = document.createElement('div')
  const shown = (): unknown => JSON.parse(container.textContent)
  await act(() => createRoot(container).render(createElement(Budgets)))
  expect(shown()).toEqual({})

  const { limit, remaining, reset, next } = budgetHeaders
  await act(() =>
    recordRateLimit('a', new Headers({ [limit]: '10', [remaining]: '4', [reset]: '3', [next]: '2' }), 1000),
  )
  expect(shown()).toEqual({ a: { limit: 10, remaining: 4, resetAt: 4000, nextAt: 3000, waiting: 0 } })

  // An answer without the headers, such as one of the gateway itself, changes nothing.
  await act(() => recordRateLimit('a', new Headers(), 2000))
  expect(shown()).toEqual({ a: { limit: 10, remaining: 4, resetAt: 4000, nextAt: 3000, waiting: 0 } })
})
