/** Tiles that show rows: lists, patterns of messages, and the distribution of durations. */
import { dashboard } from '../src/contract/stack/dashboards/dashboards.ts'
import { expectNoViolations } from './support/axe.ts'
import { listOf, sources, stack } from './support/dashboards.ts'
import { sendMessages, sendSpans } from './support/sendTelemetry.ts'
import { expect, openSource, setFaults, test, unique } from './support/test.ts'

test.use({ telemetry: true })

test('a search tile lists rows and opens one, a patterns tile groups their messages', async ({ page }) => {
  const service = unique('shop').replace(' ', '-')
  const orders = Array.from({ length: 30 }, (_, at) => `order ${at} placed`)
  await sendMessages(service, [...orders, 'disk is full'])
  const [logs] = (await sources()).filter(({ kind }) => kind === 'log')
  const rows = { sourceId: logs?.id, where: `ServiceName:"${service}"`, whereLanguage: 'lucene' }
  const { id } = await stack(dashboard, 'POST', '/dashboards', {
    name: unique('Rows'),
    tiles: [
      { name: 'Events', x: 0, y: 0, w: 12, h: 8, config: { displayType: 'search', select: 'Body', ...rows } },
      { name: 'Patterns', x: 12, y: 0, w: 12, h: 8, config: { displayType: 'event_patterns', ...rows } },
    ],
  })
  await page.goto(`${listOf(openSource)}/${id}`)
  const patterns = page.getByRole('region', { name: 'Patterns' }).first()
  await expect(patterns.getByRole('row', { name: 'order <*> placed' })).toContainText('30')
  await expect(patterns.getByRole('row')).toHaveCount(3)
  const events = page.getByRole('region', { name: 'Events' }).first()
  await expect(events.getByRole('row')).toHaveCount(32)
  await expectNoViolations(page, 'tiles with rows')
  await events.getByRole('row', { name: 'disk is full' }).getByRole('link').click()
  await expect(page).toHaveURL(/\/search\?/)
  await expect(page.getByRole('region', { name: 'Row details' })).toContainText('disk is full')
})

test('the patterns of many messages are those of the whole range, with the share that was read', async ({ page }) => {
  const service = unique('busy').replace(' ', '-')
  // The rare one is older than the newest thousand.
  const orders = Array.from({ length: 1500 }, (_, at) => `order ${at} placed`)
  await sendMessages(service, ['disk is full', 'disk is slow', ...orders], 4000)
  const [logs] = (await sources()).filter(({ kind }) => kind === 'log')
  const rows = { sourceId: logs?.id, where: `ServiceName:"${service}"`, whereLanguage: 'lucene' }
  const { id } = await stack(dashboard, 'POST', '/dashboards', {
    name: unique('Sampled'),
    tiles: [{ name: 'Patterns', x: 0, y: 0, w: 24, h: 8, config: { displayType: 'event_patterns', ...rows } }],
  })
  // The sample is counted first: it waits there until it is stopped.
  const held = '**/charts/series'
  await page.route(held, () => {})
  await page.goto(`${listOf(openSource)}/${id}`)
  const patterns = page.getByRole('region', { name: 'Patterns' }).first()
  await expect(patterns).toContainText('Patterns of the newest 1,000 rows. Sampling the whole time range…')
  await patterns.getByRole('button', { name: 'Stop' }).press('Enter')
  await page.unroute(held)
  await patterns.getByRole('button', { name: 'Read the whole range' }).press('Enter')
  await expect(patterns).toContainText(/Patterns of 9\d\d of 1,502 rows \(6\d\.?\d* %\), from 6 parts of the range\./)
  await expect(patterns.getByRole('columnheader', { name: 'In sample' })).toBeVisible()
  await expectNoViolations(page, 'a tile of sampled patterns')
})

test('a search tile whose rows cannot be read says why, and reads them again', async ({ page }) => {
  const service = unique('counted').replace(' ', '-')
  await sendMessages(service, ['a', 'b'])
  const [logs] = (await sources()).filter(({ kind }) => kind === 'log')
  const { id } = await stack(dashboard, 'POST', '/dashboards', {
    name: unique('Refused rows'),
    tiles: [
      {
        name: 'Events',
        x: 0,
        y: 0,
        w: 12,
        h: 8,
        config: { displayType: 'search', select: 'Body', sourceId: logs?.id, where: `ServiceName:"${service}"` },
      },
    ],
  })
  setFaults({ match: 'POST /api/v2/search', status: 500, body: { message: 'The engine is busy.' } })
  try {
    await page.goto(`${listOf(openSource)}/${id}`)
    await expect(page.getByRole('region', { name: 'Events' })).toContainText('The engine is busy.')
  } finally {
    setFaults()
  }
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Events' }).first().getByRole('row')).toHaveCount(3)
})

test('a heatmap counts every span once, by time and duration', async ({ page }) => {
  const service = unique('api').replace(' ', '-')
  await sendSpans(service, [1, 2, 3, 3, 3, 40, 5000])
  const [traces] = (await sources()).filter(({ kind }) => kind === 'trace')
  const { id } = await stack(dashboard, 'POST', '/dashboards', {
    name: unique('Heatmap'),
    tiles: [
      {
        name: 'Latency',
        x: 0,
        y: 0,
        w: 24,
        h: 8,
        config: {
          displayType: 'heatmap',
          sourceId: traces?.id,
          select: [{ valueExpression: 'Duration' }],
          where: `ServiceName:"${service}"`,
          whereLanguage: 'lucene',
        },
      },
      {
        name: 'Queue',
        x: 0,
        y: 8,
        w: 24,
        h: 8,
        config: {
          displayType: 'heatmap',
          sourceId: traces?.id,
          select: [{ valueExpression: 'SpanAttributes.app.queue.length', heatmapScaleType: 'linear' }],
          where: `ServiceName:"${service}"`,
          whereLanguage: 'lucene',
        },
      },
    ],
  })
  await page.goto(`${listOf(openSource)}/${id}`)
  const tile = page.getByRole('region', { name: 'Latency' }).first()
  await expect(tile.getByRole('img', { name: 'Latency: values from 1 ms to 5 s' })).toBeVisible()
  await expectNoViolations(page, 'a heatmap')
  await page.getByRole('button', { name: 'Show Latency as table' }).click()
  const counts = tile.getByRole('row').getByRole('cell')
  await expect(counts.first()).toHaveText(/ to 5 s$/)
  const texts = await counts.allTextContents()
  const total = texts.filter((_, at) => at % 2 === 1).reduce((sum, text) => sum + Number(text), 0)
  expect(total).toBe(7)
  // Attributes are text, and not all spans have them.
  await page.getByRole('button', { name: 'Show Queue as table' }).click()
  const queue = page.getByRole('region', { name: 'Queue', exact: true }).getByRole('row')
  await expect(queue.first()).toBeVisible()
  await expect(queue.getByRole('cell')).toHaveText(['4.79k to 5k', '1', '2 to 210', '5'])
})
