/** Requests of the person of a page, as the console makes them. */
import type { Page } from '@playwright/test'
import { consoleHeader } from '../../src/contract/wire/gatewayWire.ts'

/** Where the page of a shared context is that no test uses. */
export const idlePath = '/idle'

/** A page that can send requests before the one of the test is at the console: opening that only for this takes far longer. */
async function senderFor(page: Page): Promise<Page> {
  const isIdle = (other: Page) => URL.canParse(other.url()) && new URL(other.url()).pathname === idlePath
  const idlePage = page.context().pages().find(isIdle)
  if (!idlePage) await page.goto('/connections')
  return idlePage ?? page
}

/** Sends a request, whatever the status of its response. */
export async function responseTo(
  page: Page,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: unknown = {},
): Promise<{ status: number; text: string }> {
  const sender = await senderFor(page)
  const headers = { [consoleHeader]: '1', 'content-type': 'application/json' }
  return sender.evaluate(
    async ({ path, init }) => {
      const response = await fetch(path, init)
      return { status: response.status, text: await response.text() }
    },
    { path, init: { method, headers, body: JSON.stringify(body) } },
  )
}

/**
 * Sends a request that has to succeed.
 * @returns the JSON of the response; an empty object if it has none
 */
export async function send(...request: Parameters<typeof responseTo>): Promise<Record<string, unknown>> {
  const { status, text } = await responseTo(...request)
  const [, method, path] = request
  if (status >= 400) throw new Error(`${method} ${path} was answered with ${status}: ${text}`)
  return Object(text === '' ? {} : JSON.parse(text))
}

/**
 * Holds the requests of a page whose URL matches, so that a test can look at what the page shows until they are answered.
 * @returns lets them go on, and further ones at once
 */
export async function hold(page: Page, url: RegExp): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(url, async (route) => {
    // A page may have the path of its data.
    if (route.request().resourceType() !== 'document') await released
    await route.continue()
  })
  return release
}
