/** Services and pipes of a deployment with other field names: a separate stack beside the one under test. */
import { fork, type ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { namingProfiles } from '../src/contract/wire/naming.ts'
import { addConnection, test } from './support/cloud.ts'
import { naming } from './support/environment.ts'
import { chooseAction, expect } from './support/test.ts'

const other = naming === 'neutral' ? 'clickhouse' : 'neutral'
const names = namingProfiles[other]

const started = z.object({
  credentials: z.object({
    keyId: z.string(),
    keySecret: z.string(),
    organizationId: z.string(),
    serviceId: z.string(),
  }),
  ports: z.object({ api: z.number() }),
})

const dataDir = mkdtempSync(join(tmpdir(), 'stack-console-spelling-'))
let stack: ChildProcess
let deployment: z.infer<typeof started>
test.beforeAll(async () => {
  stack = fork(join(import.meta.dirname, '../src/stack/startup/main.ts'), {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      NAMING: other,
      DATA_DIR: dataDir,
      API_PORT: '0',
      OTLP_HTTP_PORT: '0',
      OTLP_GRPC_PORT: '0',
      CONVERGENCE_SECONDS: '1',
      RATE_LIMIT_MANAGED: '0',
    },
  })
  for await (const [message] of on(stack, 'message')) {
    const { success, data } = started.safeParse(message)
    if (!success) continue
    deployment = data
    break
  }
})
test.afterAll(async () => {
  stack.kill('SIGTERM')
  await once(stack, 'exit')
  rmSync(dataDir, { recursive: true, force: true })
})

test('lists, edits and scales services and pipes with the deployment’s field names', async ({ page }) => {
  const { credentials, ports } = deployment
  const { keyId, keySecret, organizationId, serviceId } = credentials
  const baseUrl = `http://127.0.0.1:${ports.api}`
  /** The response of the deployment as text, to check its field names. */
  const read = async (path: string) => {
    const answer = await page.request.get(
      `${baseUrl}/v1/organizations/${organizationId}/services/${serviceId}${path}`,
      {
        headers: { authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}` },
      },
    )
    return answer.text()
  }
  const connection = await addConnection(page, { ...credentials, baseUrl, naming: other })

  await page.goto(`/c/${connection}/services/${serviceId}`)
  const version = z.record(z.string(), z.unknown()).parse(JSON.parse(await read('')).result)[names.version]
  await expect(page.getByRole('region', { name: 'Service' })).toContainText(`Version${String(version)}`)

  await page.goto(`/c/${connection}/pipes`)
  await page.getByRole('link', { name: 'Sample: orders from files' }).click()
  await chooseAction(page, 'Settings')
  await page.getByRole('textbox', { name: 'db_max_threads' }).fill('5')
  await page.getByRole('button', { name: 'Review' }).click()
  const review = page.getByRole('dialog')
  await expect(review.getByText(/curl -X PUT/)).toContainText(`"${names.settingPrefix}max_threads": 5`)
  await review.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText(/saved/).first()).toBeVisible()
  await expect.poll(() => read(`/${names.pipes}`)).toContain(`"${names.settingPrefix}max_threads":5`)

  await page.goto(`/c/${connection}/pipes`)
  await page.getByRole('link', { name: 'Sample: clicks from Kafka' }).click()
  await page.getByRole('button', { name: 'Scale', exact: true }).click()
  await page.getByRole('slider', { name: 'Replicas' }).press('ArrowRight')
  await page.getByRole('button', { name: 'Scale pipe' }).click()
  await expect(page.getByText(/Change applied: replicas 1 → 2/)).toBeVisible()

  // One size for all database pipes: its path starts with the path of the pipes.
  await page.goto(`/c/${connection}/services/${serviceId}`)
  await page.getByRole('link', { name: 'Scale database pipes' }).click()
  await page.getByRole('slider', { name: 'CPU' }).press('ArrowRight')
  await page.getByRole('button', { name: 'Scale database pipes' }).click()
  await expect(page.getByText(/Change applied: CPU 2 vCPU → 4 vCPU/)).toBeVisible()

  // A deployment with the product's names has webhooks on the managed variant; what goes by neutral ones does not.
  await page.goto(`/c/${connection}/webhooks`)
  const offered = page.getByRole('main').getByRole('link', { name: 'New webhook' }).first()
  const absent = page.getByRole('main').getByText(/does not offer webhooks/)
  await expect(other === 'clickhouse' ? offered : absent).toBeVisible()
})
