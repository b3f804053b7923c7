/** Measures waiting times for pages of the product in a browser with an empty cache. */
import type { Locator, Page } from '@playwright/test'
import { median, milliseconds, time, type Row } from './measure.ts'
import { root, withProduct, type Product } from './product.ts'

const runs = 7

export function page(): Promise<Row[]> {
  return withProduct(async (product) => [await alertsList(product), await explorerChart(product)])
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
