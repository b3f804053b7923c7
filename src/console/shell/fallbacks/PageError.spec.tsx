// @vitest-environment happy-dom
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

test('a page whose code did not come asks for a reload, with nothing that would have to be loaded', () => {
  const error = new TypeError('any words')
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
  expect(drawn(error)).toMatch(/could not be loaded.*Reload$/)
})

test('a page that broke by itself is not told to be missing', () => {
  expect(drawn(new TypeError('any words'))).toBe('')
})
