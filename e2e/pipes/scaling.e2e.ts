/** Scaling of pipes: by keyboard, number field and drag, tracked until the change is applied or fails. */
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { addConnection, pipeAt, test } from '../support/cloud.ts'
import { now } from '../support/now.ts'
import { clearFaults, expect, managed, setFaults } from '../support/test.ts'

test.use({ telemetry: true })

const slider = (page: Page, name: string) => page.getByRole('slider', { name })
const number = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const scaleButton = (page: Page) => page.getByRole('button', { name: 'Scale pipe' })

/** Drags the thumb of a slider from its start to a share of its rail. */
async function drag(page: Page, name: string, share: number): Promise<void> {
  const whole = page.locator('.MuiSlider-root', { has: slider(page, name) })
  // Waits until it does not move any more.
  await whole.hover()
  const box = await whole.boundingBox()
  if (!box) throw new Error('the slider is not drawn')
  const middle = box.y + box.height / 2
  await page.mouse.move(box.x, middle)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * share * 0.7, middle, { steps: 8 })
  await page.mouse.move(box.x + box.width * share, middle, { steps: 8 })
  await page.mouse.up()
}

/** Waits until the change is applied; `to` is what it leads to, where an earlier change may still be shown as applied. */
async function converged(page: Page, to = ''): Promise<void> {
  await expect(page.getByText(new RegExp(`Change applied: .*${to}`))).toBeVisible()
}

test('scales a streaming pipe by keyboard, tracks the change and reverts it', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  await slider(page, 'CPU per replica').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(number(page, 'CPU per replica')).toHaveValue('500')
  await slider(page, 'Memory per replica').focus()
  await page.keyboard.press('End')
  await slider(page, 'Replicas').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(/3 changes · 1 API request/)).toBeVisible()
  await expect(page.getByRole('row', { name: /^vCPU/ })).toContainText('+0.875')

  await page.getByRole('button', { name: 'Review' }).click()
  const review = page.getByRole('dialog')
  await expect(review.getByRole('row', { name: /CPU per replica/ })).toContainText(/0\.125 vCPU.*0\.5 vCPU/)
  await expect(review.getByText(/curl -X PATCH/)).toContainText('"replicaMemoryGb": 8')
  await expect(review.getByText(/curl -X PATCH/)).toContainText('$KEY_ID')
  await review.getByRole('button', { name: 'Scale pipe' }).click()

  await expect(page.getByText(/It is not in effect yet/)).toBeVisible()
  await converged(page)
  const scaled = { replicas: 2, replicaCpuMillicores: 500, replicaMemoryGb: 8 }
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject(scaled)
  await expect(number(page, 'Replicas')).toHaveValue('2')

  await page.getByRole('button', { name: 'Revert' }).click()
  await expect.poll(async () => (await cloud.pipe(pipe.id)).scaling).toMatchObject(pipe.scaling ?? {})
  await converged(page)
})

test('scales a streaming pipe by number field; does not send invalid values, leaves empty ones unchanged', async ({
  page,
  cloud,
}) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  await number(page, 'Replicas').fill('11')
  await expect(page.getByText('Must be 1 to 10, whole number.')).toBeVisible()
  await scaleButton(page).click()
  await expect(number(page, 'Replicas')).toHaveAttribute('aria-invalid', 'true')
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject({ replicas: 1 })

  await number(page, 'Replicas').fill('')
  await expect(page.getByText('No changes').first()).toBeVisible()
  await number(page, 'Replicas').fill('3')
  await number(page, 'Memory per replica').fill('0.75')
  await scaleButton(page).click()
  await converged(page)
  expect((await cloud.pipe(pipe.id)).scaling).toEqual({
    replicas: 3,
    replicaCpuMillicores: 125,
    replicaMemoryGb: 0.75,
  })
})

test('scales a streaming pipe by drag', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  await drag(page, 'CPU per replica', 0.74)
  await expect(number(page, 'CPU per replica')).toHaveValue('1000')
  await scaleButton(page).click()
  await converged(page)
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject({ replicaCpuMillicores: 1000 })
})

test('scales an object storage pipe by concurrency; the other parameters explain why they do not apply', async ({
  page,
  cloud,
}) => {
  const pipe = await cloud.createPipe('objectStorage')
  await page.goto(pipeAt(pipe, '/scaling'))
  await expect(page.getByText(/pipes scale by concurrency/)).toHaveCount(3)
  await expect(page.getByRole('slider')).toHaveCount(1)
  await slider(page, 'Concurrency').focus()
  for (let at = 0; at < 4; at++) await page.keyboard.press('ArrowRight')
  await expectScaled(4)
  await number(page, 'Concurrency').fill('6')
  await expectScaled(6)
  await drag(page, 'Concurrency', 1)
  await expectScaled(34)

  async function expectScaled(concurrency: number): Promise<void> {
    await expect(number(page, 'Concurrency')).toHaveValue(String(concurrency))
    await scaleButton(page).click()
    await expect.poll(async () => (await cloud.pipe(pipe.id)).scaling).toMatchObject({ concurrency })
    await converged(page, `→ ${concurrency}\\b`)
  }
})

test('does not show placeholders as sizes while a change is pending', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const zeros = { replicas: 0, replicaCpuMillicores: 0, replicaMemoryGb: 0 }
  // As on deployments that do not report effective and requested values separately.
  const result = { ...pipe, scaling: zeros, currentScaling: undefined }
  const stillAtWork = { status: 200, body: { status: 200, requestId: 'r', result } }
  await page.goto(pipeAt(pipe, '/scaling'))
  await number(page, 'Replicas').fill('4')
  setFaults(
    { match: `GET ${cloud.pipesAt}/${pipe.id}`, ...stillAtWork },
    { match: `PATCH ${cloud.pipesAt}/${pipe.id}/scaling`, ...stillAtWork, times: 1 },
  )
  await scaleButton(page).click()
  await expect(page.getByText(/It is not in effect yet/)).toBeVisible()
  // The requested and the previous values are shown, not the reported zeros.
  await expect(number(page, 'Replicas')).toHaveValue('4')
  await expect(number(page, 'CPU per replica')).toHaveValue('125')
  await expect(page.getByRole('row', { name: /^vCPU/ })).toHaveText(/vCPU0\.1250\.5\+0\.375/)
  const reverted = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Revert' }).click()
  // The gateway compares what the page has read with what the deployment reports, placeholders included.
  await reverted
  clearFaults()
  await expect(page.getByText(/Change applied: replicas 4 → 1/)).toBeVisible()
  await expect(number(page, 'Replicas')).toHaveValue('1')
})

test('shows a rejected value at its field', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  setFaults({
    match: `PATCH ${cloud.pipesAt}/${pipe.id}/scaling`,
    status: 400,
    body: {
      status: 400,
      error: 'BAD_REQUEST: request body.replicas: Number of replicas must be less than 3 <number:4>',
      requestId: 'r',
    },
    times: 1,
  })
  await page.goto(pipeAt(pipe, '/scaling'))
  await number(page, 'Replicas').fill('4')
  await scaleButton(page).click()
  await expect(page.getByText('Number of replicas must be less than 3')).toBeVisible()
  await expect(number(page, 'Replicas')).toHaveAttribute('aria-invalid', 'true')
  await expect(number(page, 'Replicas')).toHaveValue('4')
})

test('shows side by side what somebody else scaled meanwhile, before anything is sent', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  await number(page, 'Replicas').fill('2')
  await number(page, 'Memory per replica').fill('1')
  await cloud.scalePipe(pipe.id, { replicas: 3, replicaCpuMillicores: 250 })
  await scaleButton(page).click()
  const choice = page.getByRole('region', { name: 'Changed by somebody else' })
  await expect(choice.getByRole('row', { name: /^Replicas/ })).toContainText(/1.*3.*2/)
  await expect(choice.getByRole('row', { name: /^CPU per replica/ })).toContainText(
    /0\.125 vCPU.*0\.25 vCPU.*not changed.*Theirs/,
  )
  await expect(choice.getByRole('row')).toHaveCount(3)
  await expectNoViolations(page, 'a conflict of scaling')
  await expect(scaleButton(page)).toBeDisabled()
  const theirs = { replicas: 3, replicaCpuMillicores: 250, replicaMemoryGb: 0.5 }
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject(theirs)
  await choice.getByRole('button', { name: 'Yours' }).click()
  await choice.getByRole('button', { name: 'Continue with these values' }).click()
  await expect(choice).toBeHidden()
  await expect(page.getByText(/2 changes · 1 API request/)).toBeVisible()
  await scaleButton(page).click()
  await converged(page)
  const merged = { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 }
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject(merged)
})

test('tracks a write whose response is lost until it is applied', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  // The deployment reports the previous values until the page has shown the lost response.
  const result = { ...pipe, currentScaling: undefined }
  const asIs = { status: 200, body: { status: 200, requestId: 'r', result } }
  setFaults(
    { match: `PATCH ${cloud.pipesAt}/${pipe.id}/scaling`, reset: 'after', times: 1 },
    { match: `GET ${cloud.pipesAt}/${pipe.id}`, ...asIs },
  )
  await number(page, 'Replicas').fill('2')
  await scaleButton(page).click()
  await expect(page.getByText(/Outcome unknown/)).toBeVisible()
  await expect(page.getByText(/The response was lost/)).toBeVisible()
  clearFaults()
  await converged(page)
  await expect(page.getByText(/Outcome unknown/)).toHaveCount(0)
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject({ replicas: 2 })
})

test.describe('with a fake clock', () => {
  test.use({ ownContext: true })

  test('counts down after too many requests, and the next try works', async ({ page, cloud }) => {
    const pipe = await cloud.createPipe()
    // It has a key of its own, so that the other tests do not wait for its rate limit.
    const connectionId = await addConnection(page, {})
    await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
    await number(page, 'Replicas').fill('2')
    setFaults({
      match: `PATCH ${cloud.pipesAt}/${pipe.id}/scaling`,
      status: 429,
      headers: { 'retry-after': '65' },
      body: { status: 429, error: 'Rate limit exceeded' },
      times: 1,
    })
    await page.clock.install()
    await scaleButton(page).click()
    await expect(page.getByText(/Rate limit exceeded/).first()).toBeVisible()
    // Background reads of the page may wait for the same limit, and says so elsewhere.
    await expect(page.getByRole('timer').filter({ hasText: /Try again in \d+ s/ })).toBeVisible()
    await page.clock.fastForward(70_000)
    await expect(page.getByRole('timer').filter({ hasText: 'You can try again now.' })).toBeVisible()
  })
})

test('a read-only connection cannot scale, and explains why', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const connectionId = await addConnection(page, { readOnly: true })
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  await expect(slider(page, 'Replicas')).toBeDisabled()
  await expect(scaleButton(page)).toBeDisabled()
  await page.goto(pipeAt(pipe).replace(managed, connectionId))
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: /^Stop/ })).toBeDisabled()
})

test('reports a failing service as a dependency of the pipe', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  setFaults({
    match: `PATCH ${cloud.pipesAt}/${pipe.id}/scaling`,
    status: 424,
    body: { status: 424, error: 'FAILED_DEPENDENCY: the service is idle' },
    times: 1,
  })
  await page.goto(pipeAt(pipe, '/scaling'))
  await number(page, 'Replicas').fill('2')
  await scaleButton(page).click()
  const alert = page.getByRole('alert').filter({ hasText: 'A dependency failed' })
  await expect(alert).toContainText('the service is idle')
  await expect(number(page, 'Replicas')).toHaveValue('2')
  await scaleButton(page).click()
  await converged(page)
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject({ replicas: 2 })
})

test('database pipes share one size: CPU and memory change together, and the change is tracked', async ({
  page,
  cloud,
}) => {
  const address = `/c/${managed}/services/${cloud.serviceId}/pipe-size`
  await page.goto(address)
  await expect(page.getByText('No database pipes yet')).toBeVisible()

  // A database pipe would need a database, so the deployment's responses are replaced.
  const at = `${cloud.pipesAt}CdcScaling`
  const answer = (replicaCpuMillicores: number, replicaMemoryGb: number) => ({
    status: 200,
    body: { status: 200, requestId: 'r', result: { replicaCpuMillicores, replicaMemoryGb } },
  })
  reports(2000, 8)
  await page.goto(address)
  await number(page, 'Memory').fill('9')
  await expect(page.getByText('Must be 4 to 128 GiB, in steps of 4.')).toBeVisible()
  await number(page, 'Memory').fill('')
  await number(page, 'CPU').fill('')
  await slider(page, 'CPU').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('row', { name: /Cost per hour/ })).toContainText('+$0.20')
  await expectScaled(4000, 16)
  await number(page, 'Memory').fill('32')
  await expectScaled(8000, 32)
  await drag(page, 'CPU', 1)
  await expectScaled(32_000, 128)

  function reports(cpu: number, memory: number): void {
    setFaults({ match: `GET ${at}`, ...answer(cpu, memory) }, { match: `PATCH ${at}`, ...answer(cpu, memory) })
  }
  async function expectScaled(cpu: number, memory: number): Promise<void> {
    await expect(number(page, 'CPU')).toHaveValue(String(cpu))
    await expect(number(page, 'Memory')).toHaveValue(String(memory))
    await page.getByRole('button', { name: 'Scale database pipes' }).click()
    await expect(page.getByText(/It is not in effect yet/)).toBeVisible()
    reports(cpu, memory)
    await converged(page, `→ ${cpu / 1000} vCPU`)
  }
})

test('projects the lag of the chosen size from what was measured, and says how sure it is', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  // As a gateway answers that has sampled the pipe for 20 minutes: 1000 records/s at its limit, the lag grows by 0.2 s each second.
  const samples = (minutes: number) => {
    const last = now()
    return Array.from({ length: minutes * 4 + 1 }, (_, index) => ({
      at: last - (minutes * 4 - index) * 15_000,
      pace: 15_000,
      fetchedEvents: index * 15_000,
      sentEvents: index * 15_000,
      fetchedBytes: null,
      errors: 0,
      latency: 60_000 + index * 3000,
      sourceLag: null,
      cpu: 125,
      cpuLimit: 125,
      memory: 2 ** 28,
      memoryLimit: 2 ** 29,
    }))
  }
  let minutes = 5
  await page.route('**/pipe-samples?**', (route) => {
    const measured = samples(minutes)
    return route.fulfill({
      json: {
        run: `run-${minutes}`,
        at: measured.at(-1)?.at ?? null,
        pace: 15_000,
        slowed: null,
        error: null,
        pipes: [{ id: pipe.id, samples: measured }],
      },
    })
  })
  await page.goto(pipeAt(pipe, '/scaling'))
  const panel = page.getByRole('region', { name: 'Projected lag' })
  await expect(panel).toContainText('No projection yet. 5 of 10 minutes are measured at this size.')
  minutes = 20
  await page.reload()
  await expect(panel).toContainText('from 20 min of measurements')
  await expect(panel).toContainText('1k records/s, 20 % less than the source sends. The lag keeps growing.')
  const sizes = panel.getByRole('table', { name: 'Sizes' })
  await expect(sizes.getByRole('row', { name: /^XS now/ })).toContainText('never')
  // It follows the slider, before anything is sent.
  await slider(page, 'CPU per replica').press('ArrowRight')
  await expect(panel).toContainText('2k records/s, 60 % more than the source sends. Caught up in')
  await slider(page, 'Memory per replica').press('ArrowRight')
  await expect(sizes.getByRole('row', { name: /^S chosen/ })).toContainText('$18')
  await panel.getByRole('slider', { name: /If the source sends/ }).press('End')
  await expect(panel).toContainText('The lag keeps growing.')
  await expectNoViolations(page, 'projection')
})
