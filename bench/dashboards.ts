/** Measures waiting times for dashboards: drawing a full one, and searching a list of ten thousand. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openStore } from '#stack/store/store.ts'
import { dashboardRows, type DashboardDocument } from '#stack/documents/dashboardRows.ts'
import { median, milliseconds, time, type Row } from './support/measure.ts'
import { apiRoot, type Product, root, withProduct } from './support/product.ts'

const tiles = 24
const many = 10_000
const runs = 5

export function dashboards(): Promise<Row[]> {
  return withProduct(async (product) => {
    const sourceId = await firstSource(product.dataDir)
    const full = documentOf('Full', 0, tiles, sourceId)
    await keep(product.dataDir, [full])
    const drawn = await fullDashboard(product, full.id)
    const listed = Array.from({ length: many }, (_, index) => documentOf(`Board ${index}`, index + 1, 4, sourceId))
    await keep(product.dataDir, listed)
    return [drawn, ...(await longList(product))]
  })
}

async function firstSource(dataDir: string): Promise<string> {
  // Both files are written by the stack and checked by its tests.
  const { personalAccessKey } = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as {
    personalAccessKey: string
  }
  const answer = await fetch(`${apiRoot}/api/v2/sources`, { headers: { authorization: `Bearer ${personalAccessKey}` } })
  const { data } = (await answer.json()) as { data: { id: string; kind: string }[] }
  return data.find(({ kind }) => kind === 'log')?.id ?? ''
}

/** Written to the store in one transaction, because the API would take minutes. */
async function keep(dataDir: string, documents: readonly DashboardDocument[]): Promise<void> {
  const store = await openStore({ file: join(dataDir, 'stack.db') })
  await store.write(async (transaction) => {
    for (const document of documents) await dashboardRows.insert(transaction, document)
  })
  store.close()
}

const kinds = ['line', 'stacked_bar', 'number', 'table', 'pie', 'bar'] as const

function documentOf(name: string, at: number, count: number, sourceId: string): DashboardDocument {
  const id = (number: number) => number.toString(16).padStart(24, '0')
  const isSmall = (index: number) => kinds[index % kinds.length] === 'number'
  return {
    id: id(at + 1),
    name,
    tags: [`team-${at % 40}`],
    filters: [],
    savedQuery: null,
    savedQueryLanguage: null,
    savedFilterValues: [],
    tiles: Array.from({ length: count }, (_, index) => ({
      id: id(at * 100 + index),
      name: `Tile ${index}`,
      x: (index % 6) * 4,
      y: Math.floor(index / 6) * 4,
      w: 4,
      h: 4,
      config: {
        displayType: kinds[index % kinds.length] ?? 'line',
        sourceId,
        select: [
          {
            aggFn: 'count',
            where: `SeverityText:error OR Body:${index}`,
            whereLanguage: 'lucene',
            valueExpression: '',
          },
        ],
        ...(!isSmall(index) && { groupBy: 'ServiceName' }),
      },
    })) as DashboardDocument['tiles'], // the defaults that the API would set do not matter here
  }
}

/** From an empty cache to the last tile of a window that shows all of them. */
async function fullDashboard(product: Product, id: string): Promise<Row> {
  const waits: number[] = []
  let requests = 0
  for (let run = 0; run < runs; run++) {
    const context = await product.signedIn()
    const page = await context.newPage()
    await page.setViewportSize({ width: 1440, height: 1400 })
    requests = 0
    page.on('request', () => requests++)
    waits.push(
      await time(async () => {
        await page.goto(`${root}/c/local-open-source/dashboards/${id}`)
        await page.waitForFunction(allDrawn, tiles, { polling: 'raf' })
      }),
    )
    await context.close()
  }
  return {
    what: `Dashboard of ${tiles} tiles, until all are drawn`,
    result: `${milliseconds(median(waits))}, ${requests} requests`,
    aim: 'each tile once, none waiting for another',
  }
}

/** Runs in the page: every tile exists, none is loading or waiting, and none failed. */
function allDrawn(count: number): boolean {
  const sections = [...document.querySelectorAll('main section[aria-busy]')]
  return (
    sections.length === count &&
    sections.every(
      (section) => section.ariaBusy === 'false' && !section.querySelector('[aria-busy=true], [role=alert]'),
    )
  )
}

async function longList(product: Product): Promise<Row[]> {
  const waits: number[] = []
  const keys: number[] = []
  for (let run = 0; run < runs; run++) {
    const context = await product.signedIn()
    const page = await context.newPage()
    waits.push(
      await time(async () => {
        await page.goto(`${root}/c/local-open-source/dashboards`)
        await page.getByRole('rowheader').first().waitFor()
      }),
    )
    for (let key = 0; key < 3; key++) keys.push(await keystroke(page, `Board 9${run}${key}`))
    await context.close()
  }
  return [
    {
      what: `List of ${many / 1000},000 dashboards, until its rows can be used; keystroke to filtered rows on screen`,
      result: `${milliseconds(median(waits))}; ${milliseconds(median(keys))}`,
      aim: '800; 100 ms',
    },
  ]
}

/** Milliseconds from a keystroke in the search to the frame with the found rows, measured in the page. */
async function keystroke(page: Page, text: string): Promise<number> {
  const search = page.getByRole('searchbox').first()
  await search.fill('')
  await page.getByRole('rowheader').nth(8).waitFor()
  await search.fill(text.slice(0, -1))
  await page.waitForTimeout(400)
  const measured = page.evaluate(async (wanted) => {
    await new Promise((pressed) => addEventListener('keydown', pressed, { once: true, capture: true }))
    const begin = performance.now()
    for (;;) {
      await new Promise((drawn) => requestAnimationFrame(drawn))
      if (performance.now() - begin > 10_000) throw new Error('the rows were not filtered')
      // Others follow with the digits in their IDs.
      const first = document.querySelector('tbody th[scope=row]')?.textContent
      if (first === wanted) return performance.now() - begin
    }
  }, text)
  await search.press(text.at(-1)!)
  return measured
}
