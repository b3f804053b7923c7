/**
 * Pages on which nothing moves unless the test asks: polls in the background are held, and the requests that are under way are
 * counted, so that a test can wait until there are none.
 */
import { expect, type BrowserContext, type Page } from '@playwright/test'

/**
 * Holds the polls in the background of every page of a context, which are those every 5 seconds or less often. Pages that
 * follow work which is under way poll more often, and go on.
 */
export async function holdPolls(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    /** Milliseconds. */
    const shortestHeld = 5000
    const { setInterval: start } = window
    Object.assign(window, {
      // 0 is the ID of no interval, which may be cleared.
      setInterval: (run: () => void, interval = 0, ...rest: unknown[]) =>
        interval < shortestHeld ? start(run, interval, ...rest) : 0,
    })
  })
}

const underWay = new WeakMap<Page, Set<unknown>>()

/** Counts the requests of every page of a context. */
export function countRequests(context: BrowserContext): void {
  context.on('page', (page) => {
    const requests = new Set<unknown>()
    underWay.set(page, requests)
    page.on('request', (request) => requests.add(request))
    page.on('requestfinished', (request) => requests.delete(request))
    page.on('requestfailed', (request) => requests.delete(request))
  })
}

/** Waits until a page has nothing more to load: no request is under way, and what the last response led to is drawn. */
export async function loaded(page: Page): Promise<void> {
  const requests = underWay.get(page)
  if (!requests) throw new Error('Call countRequests() with the context of the page.')
  let quietFrames = 0
  await expect
    .poll(
      async () => {
        await nextFrames(page)
        quietFrames = requests.size === 0 ? quietFrames + 1 : 0
        return quietFrames
      },
      { intervals: [20] },
    )
    .toBeGreaterThan(4)
}

/** The cumulative layout shift of the page since it was opened. */
export async function layoutShift(page: Page): Promise<number> {
  await nextFrames(page)
  return page.evaluate(() => {
    const observer = new PerformanceObserver(() => undefined)
    observer.observe({ type: 'layout-shift', buffered: true })
    // The types of the DOM do not have this entry.
    const entries = observer.takeRecords() as (PerformanceEntry & { value: number })[]
    return entries.reduce((shift, { value }) => shift + value, 0)
  })
}

/** Waits until all changes so far are drawn. */
function nextFrames(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}
