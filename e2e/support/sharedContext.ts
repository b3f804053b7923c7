/**
 * One browser context for all tests of a worker at one origin, with a new page for each test. A page of a new context costs
 * twice the processor time: it starts a renderer process and compiles every script.
 */
import {
  expect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type TestInfo,
} from '@playwright/test'
import { failedPage } from './failedPage.ts'
import { idlePath } from './requests.ts'
import { countRequests, holdPolls } from './stillPages.ts'
import { test as base } from './testedProduct.ts'

export interface SharedContext {
  context: BrowserContext
  /** Stays open, because the renderer process ends with its last page. */
  idlePage: Page
}

export interface Options {
  /** For a fake clock, which a context keeps, an empty cache, and options other than those of the configuration. */
  ownContext: boolean
  /** Whether pages poll in the background. Default: false, so that nothing changes unless the test does something. */
  polling: boolean
}

/** Opens a browser of its own, in which nobody is signed in. It is closed after the test. */
export type OtherBrowser = (options?: BrowserContextOptions) => Promise<BrowserContext>

export const test = base.extend<
  Options & { otherBrowser: OtherBrowser },
  { shared: (origin: string, polling: boolean) => Promise<SharedContext> }
>({
  ownContext: [false, { option: true }],
  polling: [false, { option: true }],
  shared: [
    async ({ browser }, run) => {
      // Created by the first test, because the options of a context belong to tests, not to workers.
      const contexts = new Map<string, Promise<SharedContext>>()
      await run((origin, polling) => {
        const name = `${origin} ${polling}`
        const known = contexts.get(name) ?? openContext(browser, polling)
        contexts.set(name, known)
        return known
      })
      for (const opened of contexts.values()) await (await opened).context.close()
    },
    { scope: 'worker' },
  ],
  context: async ({ browser, shared, ownContext, polling, product }, run, testInfo) => {
    if (ownContext) {
      const context = await newContext(browser, polling)
      await run(context)
      for (const page of context.pages()) await attachIfFailed(page, testInfo)
      return context.close()
    }
    const { context, idlePage } = await shared(product.baseURL, polling)
    await context.clearCookies()
    await context.addCookies(product.cookies)
    await run(context)
    for (const page of context.pages()) {
      if (page === idlePage) continue
      await attachIfFailed(page, testInfo)
      await page.close()
    }
    await idlePage.evaluate(() => localStorage.clear())
  },
  otherBrowser: async ({ browser, polling, baseURL }, run) => {
    const opened: BrowserContext[] = []
    await run(async (options) => {
      const context = await newContext(browser, polling, { baseURL, ...signedOut, ...options })
      opened.push(context)
      return context
    })
    for (const context of opened) await context.close()
  },
  storageState: async ({ product }, run) => run({ cookies: product.cookies, origins: [] }),
})

/** Playwright itself describes the first page of a context only, which is the idle one. */
async function attachIfFailed(page: Page, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return
  const shown = await page.ariaSnapshot({ timeout: 5000 }).catch((error: unknown) => `no snapshot: ${String(error)}`)
  await testInfo.attach(failedPage, { contentType: 'text/plain', body: `${page.url()}\n${shown}` })
}

const signedOut = { storageState: { cookies: [], origins: [] } }

async function newContext(
  browser: Browser,
  polling: boolean,
  options?: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  countRequests(context)
  context.on('page', openDrawn)
  if (!polling) await holdPolls(context)
  return context
}

/**
 * Lets `goto` end once the page is drawn, unless it says when. Before, the document has an outline of the page for each width,
 * whose texts and fields a locator would find with those of the page.
 */
function openDrawn(page: Page): void {
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil === undefined) await expect(page.locator('#root > .outline')).toHaveCount(0)
    return response
  }
}

async function openContext(browser: Browser, polling: boolean): Promise<SharedContext> {
  const context = await newContext(browser, polling)
  const idlePage = await context.newPage()
  await idlePage.route(idlePath, (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await idlePage.goto(idlePath)
  return { context, idlePage }
}
