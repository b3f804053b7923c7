/** Sign-in with providers and passkeys, on a console of its own: a real provider, and Chromium's virtual authenticator. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startTestProvider, type TestProvider } from '../../src/node/testing/testProvider.ts'
import { expectNoViolations } from '../support/axe.ts'
import { startConsole, type TestConsole } from '../support/ownConsole.ts'
import { expect, test, type OtherBrowser, unique } from '../support/test.ts'

let provider: TestProvider
let own: TestConsole

test.beforeAll(async () => {
  own = await startConsole(async (origin, dataDir) => {
    provider = await startTestProvider({ origins: [origin], ids: ['corp', 'second'] })
    const { clientSecret, ...settings } = provider.settings
    const groups = [
      { group: 'platform', role: 'administrator' },
      { group: 'staff', role: 'viewer' },
    ]
    const providers = ['corp', 'second'].map((id) => ({
      ...settings,
      id,
      label: id === 'corp' ? 'Corp SSO' : 'Second',
      groups,
      createPeople: true,
      clientSecretEnv: 'CORP_SECRET',
    }))
    writeFileSync(join(dataDir, 'providers.json'), JSON.stringify({ providers }))
    return { OIDC_PROVIDERS: join(dataDir, 'providers.json'), CORP_SECRET: clientSecret }
  })
})
test.afterAll(async () => {
  await own.stop()
  await provider.stop()
})

const fresh = async (otherBrowser: OtherBrowser) => {
  const context = await otherBrowser({ baseURL: own.url })
  return context.newPage()
}

async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

test('signs in with a provider, with roles from its groups, and is signed out by it', async ({ otherBrowser }) => {
  const name = unique('ada').replaceAll(/\W/g, '')
  const email = `${name}@corp.example`
  await provider.setAccount(name, { email, email_verified: true, name: 'Ada Lovelace', groups: ['platform'] })
  const page = await fresh(otherBrowser)
  await page.goto('/people')
  await expectNoViolations(page, 'the sign-in with providers')
  await page.getByRole('button', { name: 'Continue with Corp SSO' }).click()
  await signInAtProvider(page, name)
  // Back on the page that was asked for, although the provider is another site.
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
  expect(page.url()).toBe(`${own.url}/people`)
  await expect(page.getByRole('row', { name: /Ada Lovelace/ })).toContainText(
    'administrator on all connections (Corp SSO group platform)',
  )
  await page.getByRole('button', { name: /Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Edit roles' }).click()
  await expect(page.getByRole('dialog')).toContainText('Has from groups: administrator on all connections')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.goto('/sessions?whose=all')
  await expect(page.getByRole('row', { name: /Ada Lovelace/ })).toContainText(/Corp SSO.*this machine/)
  await expectNoViolations(page, 'the sessions of all people')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()

  await page.goto('/account')
  await page
    .getByRole('row', { name: /Corp SSO/ })
    .getByRole('button', { name: 'Disconnect' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText(/only way in which you can sign in/).first()).toBeVisible()
  await page
    .getByRole('row', { name: /Second/ })
    .getByRole('button', { name: 'Connect' })
    .click()
  // The same subject, which is connected already.
  await expect(page.getByText(/is connected to this identity of Second|connected to Second already/)).toBeVisible()

  await page.getByRole('button', { name: 'Back to My account' }).click()
  await page.getByRole('button', { name: 'Theme and session' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Stack Console' })).toBeVisible()
  expect(page.url()).toContain('/sign-in')
  await page.goto('/people')
  await expect(page.getByRole('button', { name: 'Continue with Corp SSO' })).toBeVisible()

  await page.getByRole('button', { name: 'Continue with Corp SSO' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toContainText('Corp SSO refused the sign-in. You may have cancelled it')
  await page.context().close()
})

test('adds a passkey, signs in with it, and keeps the last way in', async ({ otherBrowser }) => {
  const name = unique('grace').replaceAll(/\W/g, '')
  const email = `${name}@corp.example`
  await provider.setAccount(name, { email, email_verified: true, name: 'Grace Hopper', groups: ['staff'] })
  const page = await fresh(otherBrowser)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto('/sign-in?next=/account')
  await page.getByRole('button', { name: 'Continue with Corp SSO' }).click()
  await signInAtProvider(page, name)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Work laptop')
  await expectNoViolations(page, 'the dialog of a passkey')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  const row = page.getByRole('row', { name: /Work laptop/ })
  await expect(row).toContainText('never')
  await expectNoViolations(page, 'an account with a passkey')
  // The same authenticator has one already.
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('This device has a passkey for your account already.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await page.context().clearCookies()
  await page.goto('/sign-in?next=/account')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(row).not.toContainText('never')
  await page.context().clearCookies()
  await page.goto('/sign-in?next=/sessions')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('row', { name: /This browser/ })).toContainText('Passkey')

  // Without a fingerprint or PIN nothing opens.
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.context().clearCookies()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('Sign-in failed')
  // Nor by a copy whose counter lags behind.
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  const [credential] = credentials
  if (!credential) throw new Error('The authenticator has no passkey.')
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } })
  await page.reload()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('This passkey may have been copied')

  // Passkeys need a host name.
  await page.goto(own.url.replace('localhost', '127.0.0.1') + '/sign-in')
  await expect(page.getByText(`Open the console as ${own.url}.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0)
  await page.context().close()
})
