import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { PageError } from './PageError.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

function drawn(error: Error): string {
  const container = document.createElement('div')
  const root = createRoot(container)
  act(() => root.render(<PageError error={error} reset={() => {}} />))
  const text = container.textContent
  act(() => root.unmount())
  return text
}

test('a page that failed to load offers a reload, without loading more code', () => {
  const error = new TypeError('any words')
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
  expect(drawn(error)).toMatch(/could not be loaded.*Reload$/)
})

test('a page that threw an error is not reported as failed to load', () => {
  expect(drawn(new TypeError('any words'))).toBe('')
})
