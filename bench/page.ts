/** Measures waiting times for pages of the product in a browser with an empty cache. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { z } from 'zod'
import { median, milliseconds, time, type Row } from './measure.ts'
import { otlpPort, root, withProduct, type Product } from './product.ts'

const runs = 7

export function page(): Promise<Row[]> {
  return withProduct(async (product) => [
    await alertsList(product),
    await explorerChart(product),
    ...(await searchRows(product)),
  ])
}

/** From the navigation until `usable` is visible, each time in a context with nothing but the session. */
async function cold(product: Product, path: string, usable: (tab: Page) => Locator) {
  const waits: number[] = []
  let bytes = 0
  let requests = 0
  for (let run = 0; run < runs; run++) {
    const context = await product.signedIn()
    const tab = await context.newPage()
    bytes = 0
    requests = 0
    tab.on('requestfinished', async (request) => {
      requests++
      const sizes = await request.sizes().catch(() => null)
      if (request.resourceType() === 'script') bytes += sizes?.responseBodySize ?? 0
    })
    waits.push(
      await time(async () => {
        await tab.goto(root + path)
        await usable(tab).first().waitFor()
      }),
    )
    await tab.waitForLoadState('networkidle')
    await context.close()
  }
  return `${milliseconds(median(waits))}, ${Math.round(bytes / 1024)} KiB of compressed JavaScript, ${requests} requests`
}

async function alertsList(product: Product): Promise<Row> {
  return {
    what: 'Alerts list, empty cache, until its rows are there',
    result: await cold(product, '/c/local-open-source/alerts', (tab) => tab.getByRole('rowheader')),
    aim: '300 kB of JavaScript; the vendor’s list of dashboards: 770 ms, 2,630 KiB, 132 requests',
  }
}

async function explorerChart(product: Product): Promise<Row> {
  return {
    what: 'Explorer, empty cache, until the first chart is drawn',
    result: await cold(product, '/c/local-open-source/explorer', (tab) => tab.getByRole('table', { name: 'Legend' })),
    aim: 'the vendor’s: 1,722 ms, 2,502 KiB, 111 requests',
  }
}

/** Frames per second at which the list is scrolled, at a processor four times slower. */
async function scrolled(product: Product): Promise<string> {
  const context = await product.signedIn()
  const tab = await context.newPage()
  await tab.goto(`${root}/c/local-open-source/search?from=now-7d`)
  const list = tab.getByRole('grid', { name: 'Rows' })
  const loaded = tab.getByRole('status').filter({ hasText: '10,000 loaded' })
  while (!(await loaded.isVisible())) {
    await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    await tab.waitForTimeout(100)
  }
  const devTools = await context.newCDPSession(tab)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const seconds = 4
  const frames = await list.evaluate(async (element, milliseconds) => {
    element.scrollTo({ top: 0 })
    const begin = performance.now()
    let count = 0
    for (; performance.now() - begin < milliseconds; count++) {
      element.scrollTop += 120
      await new Promise(requestAnimationFrame)
    }
    return count
  }, seconds * 1000)
  await context.close()
  return `${Math.round(frames / seconds)} frames per second`
}

async function searchRows(product: Product): Promise<Row[]> {
  await sendLogs(product, 12_000)
  return [
    {
      what: 'Search, empty cache, until its rows are drawn',
      result: await cold(product, '/c/local-open-source/search', (tab) => tab.locator('#search-row-5')),
      aim: '600 ms',
    },
    {
      what: 'Search, 10,000 rows scrolled at a processor four times slower',
      result: await scrolled(product),
      aim: '30 frames per second',
    },
  ]
}

/** Log records of the last hour, over the product's collector. */
async function sendLogs({ dataDir }: Product, count: number): Promise<void> {
  const { ingestionKey } = z
    .object({ ingestionKey: z.string() })
    .parse(JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')))
  const now = Date.now()
  const perRequest = 4000
  for (let first = 0; first < count; first += perRequest) {
    const logRecords = Array.from({ length: perRequest }, (_, at) => ({
      timeUnixNano: `${now - Math.floor(((first + at) * 3_000_000) / count)}000000`,
      severityText: at % 10 === 0 ? 'ERROR' : 'INFO',
      body: { stringValue: `payment of order ${first + at} was authorised after ${at % 500} ms` },
    }))
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop-payment' } }] }
    const answer = await fetch(`http://127.0.0.1:${otlpPort}/v1/logs`, {
      method: 'POST',
      headers: { authorization: ingestionKey, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] }),
    })
    if (!answer.ok) throw new Error(`the collector responded with ${answer.status}`)
  }
}
