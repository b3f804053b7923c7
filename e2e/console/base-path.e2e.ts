/** The console under a path of a host, behind a proxy that has other applications beside it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { connection } from '../../src/contract/console/connections.ts'
import { consoleHeader, gatewayPaths } from '../../src/contract/wire/gatewayWire.ts'
import { startTestProvider, type TestProvider } from '../../src/node/testing/testProvider.ts'
import { apiURL, credentials, password } from '../support/environment.ts'
import { choose, legendOf, sendLogs } from '../support/explorer.ts'
import { startConsole, type TestConsole } from '../support/ownConsole.ts'
import { startPathProxy, type PathProxy } from './pathProxy.ts'
import { expect, test, unique, type OtherBrowser } from '../support/test.ts'

test.use({ telemetry: true })

const basePath = '/console'
let proxy: PathProxy
let provider: TestProvider
let own: TestConsole
let dataDir: string

test.beforeAll(async () => {
  proxy = await startPathProxy(basePath)
  own = await startConsole(async (address, folder) => {
    proxy.target(address)
    dataDir = join(folder, 'data')
    provider = await startTestProvider({ origins: [proxy.origin + basePath], ids: ['corp'] })
    const { clientSecret, ...settings } = provider.settings
    const groups = [{ group: 'platform', role: 'administrator' }]
    const corp = { ...settings, id: 'corp', label: 'Corp SSO', groups, createPeople: true, clientSecretEnv: 'CORP' }
    writeFileSync(join(folder, 'providers.json'), JSON.stringify({ providers: [corp] }))
    return {
      BASE_PATH: basePath,
      PUBLIC_URL: proxy.origin,
      TRUSTED_PROXY_ADDRESSES: '127.0.0.1',
      OIDC_PROVIDERS: join(folder, 'providers.json'),
      CORP: clientSecret,
    }
  })
})
test.afterAll(async () => {
  await own.stop()
  await provider.stop()
  await proxy.stop()
})

/** A page in a new browser. What the security policy of the page forbids is an error of the browser. */
async function fresh(otherBrowser: OtherBrowser): Promise<{ page: Page; url: string; errors: string[] }> {
  const context = await otherBrowser()
  const errors: string[] = []
  context.on('console', (message) => {
    // Who is signed out is refused, which is an answer.
    const isAnswer = message.text().startsWith('Failed to load resource: the server responded')
    if (message.type() === 'error' && !isAnswer) errors.push(message.text())
  })
  context.on('weberror', (error) => errors.push(String(error.error())))
  proxy.elsewhere.length = 0
  return { page: await context.newPage(), url: proxy.origin + basePath, errors }
}

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const fromPage = () => ({ [consoleHeader]: '1', origin: proxy.origin })

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Theme and session' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

test('signs in, asks, saves, follows links and signs out, and nothing leaves its path', async ({ otherBrowser }) => {
  const { page, url, errors } = await fresh(otherBrowser)
  const { signInUrl } = credentials({ dataDir })
  expect(signInUrl).toContain(`${url}/sign-in#token=`)
  await page.goto(signInUrl)
  await expect(navigation(page)).toBeVisible()
  expect(new URL(page.url()).pathname).toMatch(/^\/console\/?$/)
  const cookies = await page.context().cookies(url)
  expect(cookies.map((cookie) => cookie.path)).toEqual(cookies.map(() => basePath))
  expect(await page.context().cookies(proxy.origin)).toEqual([])

  const added = await page.request.post(url + gatewayPaths.connections, {
    headers: fromPage(),
    data: {
      name: 'Behind a path',
      variant: 'openSource',
      baseUrl: apiURL,
      allowPrivate: true,
      accessKey: credentials().personalAccessKey,
    },
  })
  expect(added.ok(), await added.text()).toBe(true)
  const { id } = connection.parse(await added.json())

  const service = unique('orders').replace(' ', '-')
  await sendLogs(service, 40)
  await page.goto(`${url}/c/${id}/explorer`)
  await page.getByRole('combobox', { name: 'Condition' }).fill(`ServiceName:"${service}"`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(legendOf(page).getByRole('button', { name: 'ERROR' })).toBeVisible()
  await choose(page, 'Share', 'Copy link keeps relative times')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toContain(`${url}/c/${id}/explorer?`)

  // The link in a new tab.
  const tab = await page.context().newPage()
  await tab.goto(link)
  await expect(tab.getByRole('combobox', { name: 'Condition' })).toHaveValue(`ServiceName:"${service}"`)
  await expect(legendOf(tab).getByRole('button', { name: 'ERROR' })).toBeVisible()

  const name = unique('Path')
  await navigation(tab).getByRole('link', { name: 'Webhooks' }).click()
  await tab.getByRole('link', { name: 'New webhook' }).click()
  await expect(tab).toHaveURL(`${url}/c/${id}/webhooks/new`)
  await tab.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await tab.getByRole('textbox', { name: 'URL' }).fill('http://93.184.215.14/hook')
  await tab.getByRole('button', { name: 'Create webhook' }).click()
  await expect(tab.getByRole('heading', { level: 1, name })).toBeVisible()
  await tab.reload()
  await expect(tab.getByRole('heading', { level: 1, name })).toBeVisible()
  await tab.goBack()
  const saved = `${url}/c/${id}/webhooks`
  await tab.goto(saved)
  await expect(tab.getByRole('link', { name })).toBeVisible()

  await signOut(tab)
  await expect(tab.getByRole('heading', { name: 'Sign in to Stack Console' })).toBeVisible()
  expect(tab.url()).toContain(`${url}/sign-in`)
  // A page that was asked for while signed out opens after the sign-in.
  await tab.goto(saved)
  await tab.getByLabel('Password', { exact: true }).fill(password)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(tab.getByRole('link', { name })).toBeVisible()
  await expect(tab).toHaveURL(saved)
  // As does one of another tab's sign-in page.
  await tab.goto(`${url}/sign-in?next=${encodeURIComponent(`/c/${id}/webhooks`)}`)
  await expect(tab).toHaveURL(saved)

  expect([proxy.elsewhere, errors]).toEqual([[], []])
})

test('invites, signs in with a provider and is signed out by it', async ({ otherBrowser }) => {
  const { page, url, errors } = await fresh(otherBrowser)
  await page.goto(`${url}/people`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(`${url}/people`)
  const email = `${unique('bob').replaceAll(/\W/g, '')}@corp.example`
  const invited = await page.request.post(`${url}/api/people`, {
    headers: fromPage(),
    data: { name: 'Bob', email, role: 'viewer', roles: {} },
  })
  const { link } = z.object({ link: z.string() }).parse(await invited.json())
  expect(link).toContain(`${url}/sign-in#invitation=`)

  const name = unique('ada').replaceAll(/\W/g, '')
  await provider.setAccount(name, {
    email: `${name}@corp.example`,
    email_verified: true,
    name: 'Ada Lovelace',
    groups: ['platform'],
  })
  const other = (await fresh(otherBrowser)).page
  await other.goto(link)
  await expect(other.getByText(email)).toBeVisible()
  await other.goto(`${url}/sessions?whose=all`)
  await other.getByRole('button', { name: 'Continue with Corp SSO' }).click()
  await other.getByPlaceholder('Enter any login').fill(name)
  await other.getByPlaceholder('and password').fill('any')
  await other.getByRole('button', { name: 'Sign-in' }).click()
  await expect(other).toHaveURL(`${url}/sessions?whose=all`)
  await expect(other.getByRole('row', { name: /Ada Lovelace/ })).toContainText('Corp SSO')
  await signOut(other)
  await other.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect(other.getByRole('heading', { name: 'Sign in to Stack Console' })).toBeVisible()
  expect(other.url()).toContain(`${url}/sign-in`)
  expect([proxy.elsewhere, errors]).toEqual([[], []])
})
