/** The backtest in the form of an alert. */
import { listOf } from './alertPages.ts'
import { expectNoViolations } from '../support/axe.ts'
import { expect, managed, openSource, setFaults, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

test('replays a typed threshold and moves it by its line, without a request', async ({ page, api }) => {
  const created = await api.createAlert(unique('Backtest'))
  let queries = 0
  page.on('request', (request) => {
    if (request.url().includes('/charts/')) queries++
  })
  await page.goto(`${listOf(openSource)}/${created.id}/edit`)
  const sentence = page.getByTestId('backtest-sentence')
  await expect(sentence).toBeVisible()
  expect(queries).toBe(1)
  await expectNoViolations(page, 'form of an alert with its backtest')

  const threshold = page.getByRole('textbox', { name: 'Threshold', exact: true })
  await threshold.fill('1000000000000')
  await expect(sentence).toHaveText(/would not have fired/i)
  await threshold.fill('0')
  await expect(sentence).toHaveText(/Would have fired \d/)

  const line = page.getByRole('slider', { name: 'Threshold line' })
  await line.press('ArrowUp')
  await expect(threshold).not.toHaveValue('0')
  const before = await threshold.inputValue()
  await line.hover()
  await page.mouse.down()
  const { y = 0, x = 0 } = (await line.boundingBox()) ?? {}
  await page.mouse.move(x + 50, y + 150)
  await page.mouse.up()
  await expect(threshold).not.toHaveValue(before)
  expect(queries).toBe(1)
})

test('shortens the backtest of too many groups, on the connection that is paired', async ({ page, api }) => {
  const created = await api.createAlert(unique('Groups'))
  const ranges: number[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/charts/series')) return
    const { startTime, endTime } = request.postDataJSON()
    ranges.push(Math.round((endTime - startTime) / 86_400_000))
    expect(request.url()).toContain(openSource)
  })
  const message = 'series: the result has more than 100000 points: choose a shorter range or fewer groups'
  const tooMany = { match: 'POST /api/v2/charts/series', status: 400, body: { message } }
  setFaults({ ...tooMany, times: 1 })
  await page.goto(`${listOf(managed)}/${created.id}/edit`)
  await expect(page.getByTestId('backtest-sentence')).toBeVisible()
  await expect(
    page.getByText(/^7 days of these groups have .*\(100,000\)\. The backtest covers the last day/),
  ).toBeVisible()
  await expect(page.getByText(/, read in \d+ ms through /)).toBeVisible()
  expect(ranges).toEqual([7, 1])

  setFaults(tooMany)
  await page.reload()
  await expect(page.getByText(/^One day of these groups has .* Group by a column with fewer values/)).toBeVisible()
})
