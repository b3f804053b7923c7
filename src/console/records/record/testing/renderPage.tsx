/** A page of one connection in a document without a browser: router, reads and messages are the real ones. */
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act, useEffect, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { connectionsQuery } from '#console/api/connections.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { onStored } from '#console/api/stored.ts'
import { MuiProvider } from '#console/ui/theme/MuiProvider.tsx'
import type { Stage } from '#contract/console/stages.ts'
import { sampleConnection } from '#contract/testing/sampleConnection.ts'
import { WithConnection } from '#console/shell/connection.tsx'
import { ConfirmHost } from '#console/shell/confirm/ConfirmHost.tsx'
import { Toasts } from '#console/shell/messages/toasts.tsx'
import { parseSearch, stringifySearch } from '#console/shell/urlState.ts'
import { warnOfFieldsNotKept } from '../../fieldsNotKept/warnOfFieldsNotKept.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

export const connection = sampleConnection({ baseUrl: 'http://127.0.0.1:8000', allowPrivate: true })

/** The part of the frame that pages need. */
function Root({ stage }: { stage: Stage }) {
  useEffect(() => onStored(warnOfFieldsNotKept), [])
  return (
    <WithConnection connection={{ ...connection, stage }}>
      <Outlet />
      <ConfirmHost />
      <Toasts />
    </WithConnection>
  )
}

/** Draws the page at the edit URL of the webhook w1. Every other URL is drawn as its path. */
export async function renderPage(Page: () => ReactNode, stage: Stage = connection.stage) {
  queryClient.clear()
  queryClient.setQueryData(connectionsQuery.queryKey, [connection])
  const root = createRootRoute({
    component: () => <Root stage={stage} />,
  })
  const page = createRoute({
    getParentRoute: () => root,
    path: '/c/$connectionId/webhooks/$webhookId/edit',
    component: Page,
  })
  const other = createRoute({ getParentRoute: () => root, path: '$', component: () => 'Another page' })
  const router = createRouter({
    routeTree: root.addChildren([page, other]),
    parseSearch,
    stringifySearch,
    history: createMemoryHistory({ initialEntries: ['/c/c1/webhooks/w1/edit'] }),
  })
  const container = document.body.appendChild(document.createElement('div'))
  const react = createRoot(container)
  await act(async () => {
    react.render(
      <MuiProvider>
        <QueryClientProvider client={queryClient}>
          {/* The router of the page is registered; this one has two routes of it. */}
          <RouterProvider router={router as never} />
        </QueryClientProvider>
      </MuiProvider>,
    )
    await router.load()
  })
  return {
    path: () => router.state.location.pathname,
    search: () => router.state.location.searchStr,
    close: async () => {
      await act(async () => react.unmount())
      container.remove()
    },
  }
}

/** Waits until the condition is met, while the page renders. */
export async function until<T>(condition: () => T | null | undefined | false): Promise<T> {
  for (let tries = 0; tries < 400; tries++) {
    const seen = condition()
    if (seen !== null && seen !== undefined && seen !== false) return seen
    await act(async () => new Promise((next) => setTimeout(next, 5)))
  }
  throw new Error(`Not there: ${condition.toString()}\n${document.body.textContent}`)
}

const named = (selector: string, name: string) =>
  [...document.querySelectorAll<HTMLElement>(selector)].find(
    (candidate) =>
      (candidate.getAttribute('aria-label') ?? candidate.textContent) === name &&
      !candidate.closest('[aria-hidden="true"]'),
  )

/** Clicks the button with this name, once it is there and enabled. */
export async function click(name: string): Promise<void> {
  const button = await until(() => {
    const found = named('button', name)
    return found && !found.hasAttribute('disabled') && found
  })
  await act(async () => button.click())
}

/** Chooses what the menu of the page has. */
export async function choose(name: string): Promise<void> {
  await click('More actions')
  const item = await until(() => named('[role=menuitem]', name))
  await act(async () => item.click())
}

/** Types into the field with this label, in the place of what it has. */
export async function fill(label: string, text: string): Promise<void> {
  const field = await until(() => fieldOf(label))
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** The field with this label. */
export function fieldOf(label: string): HTMLInputElement | undefined {
  const found = [...document.querySelectorAll('label')].find(
    ({ textContent }) => textContent?.replace(/\s*\*$/, '') === label,
  )
  const field = found && document.getElementById(found.htmlFor)
  return field instanceof HTMLInputElement ? field : undefined
}

/** Whether the page says this. */
export const says = (text: string) => document.body.textContent?.includes(text) === true
