/** Requests of the person of a page, as the console makes them. */
import type { Page } from '@playwright/test'
import { consoleHeader } from '../../src/contract/gatewayWire.ts'

/** Where the page of a shared context is that no test uses. */
export const idlePath = '/idle'

/** A page that can send requests before the one of the test is at the console: opening that only for this takes far longer. */
export async function senderFor(page: Page): Promise<Page> {
  const isIdle = (other: Page) => URL.canParse(other.url()) && new URL(other.url()).pathname === idlePath
  const idlePage = page.context().pages().find(isIdle)
  if (!idlePage) await page.goto('/connections')
  return idlePage ?? page
}

/** @returns the JSON of the response; an empty object if it has none */
export async function send(
  page: Page,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const sender = await senderFor(page)
  const headers = { [consoleHeader]: '1', 'content-type': 'application/json' }
  const init = { method, headers, body: JSON.stringify(body ?? {}) }
  return sender.evaluate(
    async ({ path, init }) => {
      const text = await (await fetch(path, init)).text()
      return Object(text === '' ? {} : JSON.parse(text))
    },
    { path, init },
  )
}
