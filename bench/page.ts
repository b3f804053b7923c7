/** Measures waiting times for pages of the product in a browser with an empty cache. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { z } from 'zod'
import { coldLoads } from './coldLoad.ts'
import type { Row } from './support/measure.ts'
import { pressesOfRun } from './pressRun.ts'
import { apiRoot, otlpPort, root, withProduct, type Product } from './support/product.ts'

const runs = 5

/** Selectors of what is there once a page can be used. */
const rows = 'main th[scope="row"], main [role="rowheader"]'
const legend = 'main table[aria-label="Legend"]'

export function page(): Promise<Row[]> {
  return withProduct(async (product) => [
    await home(product),
    await dashboardsList(product),
    await alertsList(product),
    ...(await explorerChart(product)),
    ...(await searchRows(product)),
    ...(await traceOfManySpans(product)),
  ])
}

/** With the two connections of a first start. */
async function home(product: Product): Promise<Row> {
  return {
    what: 'Home, until its environments are there',
    result: await coldLoads(product, '/', rows, runs),
    aim: 'usable 400 ms; CLS 0; no chart query',
  }
}

async function dashboardsList(product: Product): Promise<Row> {
  await addDashboards(product, 20)
  return {
    what: 'Dashboards list, until its rows are there',
    result: await coldLoads(product, '/c/local-open-source/dashboards', rows, runs),
    aim: 'usable 300, 900, 500 ms; first paint 120, 250; CLS 0; 180 KiB; 14 requests',
  }
}

async function alertsList(product: Product): Promise<Row> {
  return {
    what: 'Alerts list, until its rows are there',
    result: await coldLoads(product, '/c/local-open-source/alerts', rows, runs),
    aim: 'as the dashboards list',
  }
}

async function addDashboards({ dataDir }: Product, count: number): Promise<void> {
  const { personalAccessKey } = await credentialsOf(dataDir)
  for (let at = 0; at < count; at++) {
    const answer = await fetch(`${apiRoot}/api/v2/dashboards`, {
      method: 'POST',
      headers: { authorization: `Bearer ${personalAccessKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Board ${at}`, tags: [`team-${at % 5}`], tiles: [] }),
    })
    if (!answer.ok) throw new Error(`the stack responded with ${answer.status}`)
  }
}

/** Seven days by the hour and by 19 services. */
async function explorerChart(product: Product): Promise<Row[]> {
  await sendLogs(product, { count: 60_000, hours: 7 * 24, services: 19 })
  const path = '/c/local-open-source/explorer?a=count&by=ServiceName&from=now-7d&g=1h'
  return [
    {
      what: 'Explorer, 7 days hourly by 19 services, until the chart is complete',
      result: await coldLoads(product, path, legend, runs),
      aim: 'usable 550, 1600, 850 ms; first paint 120, 250; TBT 50, 300; CLS 0; 300 KiB; 18 requests',
    },
    {
      what: 'The same, from pressing Run to the complete chart',
      result: await pressesOfRun(product, path, legend, runs),
      aim: '150 ms, ×4 450 ms',
    },
  ]
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
  const frames = await framesWhileScrolling(list)
  await context.close()
  return frames
}

/** Frames per second while an element is scrolled down, at a processor four times slower. */
async function framesWhileScrolling(list: Locator): Promise<string> {
  const devTools = await list.page().context().newCDPSession(list.page())
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
  return `${Math.round(frames / seconds)} frames per second`
}

async function searchRows(product: Product): Promise<Row[]> {
  await sendLogs(product, { count: 12_000, hours: 1, services: 1 })
  return [
    {
      what: 'Search, until its rows are drawn',
      result: await coldLoads(product, '/c/local-open-source/search', '#search-row-5', runs),
      aim: '600 ms',
    },
    {
      what: 'Search, 10,000 rows scrolled (×4)',
      result: await scrolled(product),
      aim: '30 frames per second',
    },
  ]
}

async function traceOfManySpans(product: Product): Promise<Row[]> {
  const traceId = '5'.repeat(32)
  await sendTrace(product, traceId, 5000)
  const page = `/c/local-open-source/traces/${traceId}`
  const context = await product.signedIn()
  const tab = await context.newPage()
  await tab.goto(root + page)
  await tab.locator('#span-row-5').waitFor()
  const frames = await framesWhileScrolling(tab.getByRole('treegrid', { name: 'Spans' }))
  await context.close()
  return [
    {
      what: 'Trace of 5,000 spans, until its spans are drawn',
      result: await coldLoads(product, page, '#span-row-5', runs),
      aim: '1,500 ms',
    },
    {
      what: 'Trace of 5,000 spans, scrolled (×4)',
      result: frames,
      aim: '30 frames per second',
    },
  ]
}

/** Sends a trace: a root, and under it spans of ten services, each with nine below it. */
async function sendTrace({ dataDir }: Product, traceId: string, count: number): Promise<void> {
  const { ingestionKey } = await credentialsOf(dataDir)
  const start = Date.now() - 60_000
  const idOf = (at: number) => (at + 1).toString(16).padStart(16, '0')
  const parentOf = (at: number) => (at % 10 === 1 ? 0 : at - ((at - 1) % 10))
  const spans = Array.from({ length: count }, (_, at) => {
    const begin = at === 0 ? 0 : at * 4
    const length = at === 0 ? count * 4 : at % 10 === 1 ? 40 : 4
    return {
      traceId,
      spanId: idOf(at),
      ...(at > 0 && { parentSpanId: idOf(parentOf(at)) }),
      name: `operation ${at}`,
      kind: 2,
      startTimeUnixNano: `${start + begin}000000`,
      endTimeUnixNano: `${start + begin + length}000000`,
      ...(at % 100 === 50 && { status: { code: 2 } }),
    }
  })
  const services = 10
  const serviceOf = (at: number) => Math.floor((at - 1) / 10) % services
  const resourceSpans = Array.from({ length: services }, (_, service) => ({
    resource: { attributes: [{ key: 'service.name', value: { stringValue: `shop-${service}` } }] },
    scopeSpans: [{ spans: spans.filter((_, at) => Math.max(0, serviceOf(at)) === service) }],
  }))
  const answer = await fetch(`http://127.0.0.1:${otlpPort}/v1/traces`, {
    method: 'POST',
    headers: { authorization: ingestionKey, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans }),
  })
  if (!answer.ok) throw new Error(`the collector responded with ${answer.status}`)
}

interface Logs {
  count: number
  /** How far they reach back. */
  hours: number
  services: number
}

/** Sends log records over the product's collector, spread evenly over time and services. */
async function sendLogs({ dataDir }: Product, { count, hours, services }: Logs): Promise<void> {
  const { ingestionKey } = await credentialsOf(dataDir)
  const now = Date.now()
  const perRequest = 4000
  for (let first = 0; first < count; first += perRequest) {
    const logRecords = Array.from({ length: perRequest }, (_, at) => ({
      timeUnixNano: `${now - Math.floor(((first + at) * hours * 3_000_000) / count)}000000`,
      severityText: at % 10 === 0 ? 'ERROR' : 'INFO',
      body: { stringValue: `payment of order ${first + at} was authorised after ${at % 500} ms` },
    }))
    const resourceLogs = Array.from({ length: services }, (_, service) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: `shop-${service}` } }] },
      scopeLogs: [{ logRecords: logRecords.filter((_, at) => at % services === service) }],
    }))
    const answer = await fetch(`http://127.0.0.1:${otlpPort}/v1/logs`, {
      method: 'POST',
      headers: { authorization: ingestionKey, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceLogs }),
    })
    if (!answer.ok) throw new Error(`the collector responded with ${answer.status}`)
  }
}

const credentials = z.object({ ingestionKey: z.string(), personalAccessKey: z.string() })

async function credentialsOf(dataDir: string) {
  return credentials.parse(JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')))
}
