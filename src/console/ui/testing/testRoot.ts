/** A React root in the document for the component specs of a file. */
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, vi } from 'vitest'

/** Creates a root before each test and removes it after. `page()` is its element. */
export function testRoot(): { page: () => HTMLElement; render: (content: ReactNode) => void } {
  let root: Root
  let page: HTMLElement
  beforeEach(() => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    page = document.body.appendChild(document.createElement('div'))
    root = createRoot(page)
  })
  afterEach(() => {
    act(() => root.unmount())
    page.remove()
  })
  return { page: () => page, render: (content) => act(() => root.render(content)) }
}
