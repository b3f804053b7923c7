/** Measures one page in a browser with an empty cache: painting, use, shifts, script and requests. */
import type { CDPSession, Page } from '@playwright/test'
import { median } from './support/measure.ts'
import { root, type Product } from './support/product.ts'

/** The machine that a person has. */
interface Conditions {
  name: string
  /** How many times slower the processor is. */
  slowdown: number
  network?: { latency: number; bytesPerSecond: number }
}

const megabit = 1_000_000 / 8

export const conditions: readonly Conditions[] = [
  { name: '×1', slowdown: 1 },
  { name: '×4', slowdown: 4 },
  { name: '10 Mbit/s, 40 ms', slowdown: 1, network: { latency: 40, bytesPerSecond: 10 * megabit } },
]

/** Milliseconds after the page is usable during which its requests count. */
const settling = 1_500

interface Load {
  firstPaint: number
  usable: number
  /** Cumulative layout shift. */
  shift: number
  /** Milliseconds beyond 50 of each task of the main thread. */
  blocking: number
  /** Bytes of compressed JavaScript. */
  script: number
  requests: number
}

/** Notes in the page itself what the browser reports: asking from outside would wait for the main thread. */
interface Noted {
  usable: number
  shift: number
  blocking: number
}

declare global {
  interface Window {
    noted?: Noted
  }
}

/** Runs in the page. Without inner functions that have a name: the compiler would add a helper that the page lacks. */
function observe(selector: string): void {
  const noted: Noted = { usable: 0, shift: 0, blocking: 0 }
  window.noted = noted
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) noted.shift += (entry as PerformanceEntry & { value: number }).value // the entries of that type
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) noted.blocking += duration - 50
  }).observe({ type: 'longtask', buffered: true })
  const timer = setInterval(() => {
    const found = document.querySelector(selector)
    if (!found || found.getBoundingClientRect().height === 0) return
    noted.usable = performance.now()
    clearInterval(timer)
  }, 8)
}

/** Opens the page once, in a context with nothing but the session. */
async function load(product: Product, path: string, usable: string, under: Conditions): Promise<Load> {
  const context = await product.signedIn()
  const tab = await context.newPage()
  await slowDown(await context.newCDPSession(tab), under)
  await tab.addInitScript(observe, usable)
  const pending: Promise<unknown>[] = []
  let script = 0
  let requests = 0
  tab.on('request', () => requests++)
  tab.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return
    pending.push(request.sizes().then((sizes) => (script += sizes.responseBodySize)))
  })
  await tab.goto(root + path, { waitUntil: 'commit' })
  // The page's policy forbids the eval of `waitForFunction`.
  while ((await readNotes(tab)).usable === 0) await tab.waitForTimeout(100)
  await tab.waitForTimeout(settling)
  await Promise.all(pending)
  const noted = await readNotes(tab)
  await context.close()
  return { ...noted, script, requests }
}

function readNotes(tab: Page): Promise<Noted & { firstPaint: number }> {
  return tab.evaluate(() => ({
    ...(window.noted ?? { usable: 0, shift: 0, blocking: 0 }),
    firstPaint: performance.getEntriesByName('first-paint')[0]?.startTime ?? 0,
  }))
}

export async function slowDown(devTools: CDPSession, { slowdown, network }: Conditions): Promise<void> {
  if (slowdown !== 1) await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  if (!network) return
  const { latency, bytesPerSecond } = network
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}

/**
 * Opens a page several times under each of the conditions, in turn.
 * @param usable the selector of what is there once the page can be used
 * @returns medians, each under the conditions in their order; of the layout shift (CLS) only the largest
 */
export async function coldLoads(product: Product, path: string, usable: string, runs: number): Promise<string> {
  const loads = conditions.map((): Load[] => [])
  for (let run = 0; run < runs; run++) {
    for (const [at, under] of conditions.entries()) loads[at]?.push(await load(product, path, usable, under))
  }
  const medians = (pick: (load: Load) => number) => loads.map((measured) => median(measured.map(pick)))
  const inOrder = (pick: (load: Load) => number) =>
    medians(pick)
      .map((value) => value.toFixed(0))
      .join(', ')
  const last = loads.flat().at(-1)
  return [
    `usable ${inOrder(({ usable }) => usable)} ms`,
    `first paint ${inOrder(({ firstPaint }) => firstPaint)}`,
    `TBT ${inOrder(({ blocking }) => blocking)}`,
    `CLS ${Math.max(...medians(({ shift }) => shift)).toFixed(3)}`,
    `${Math.round((last?.script ?? 0) / 1024)} KiB`,
    `${last?.requests ?? 0} requests`,
  ].join('; ')
}
