/** Shared fixtures of the tests: a page that fails on errors and watches for secrets, the API beside it, and faults. */
import { randomInt } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  expect,
  type APIRequestContext,
  type ConsoleMessage,
  type Page,
  type Response,
  type WebError,
} from '@playwright/test'
import { z } from 'zod'
import { alert } from '../../src/contract/stack/alerts.ts'
import { dashboard } from '../../src/contract/stack/dashboards/dashboards.ts'
import { savedSearches } from '../../src/contract/stack/savedSearches.ts'
import { source } from '../../src/contract/stack/sources.ts'
import { webhook } from '../../src/contract/stack/webhooks.ts'
import { apiURL, credentials, dataDir, leaksFile, naming } from './environment.ts'
import { secretsIn } from './secrets.ts'
import { test as base, type OtherBrowser } from './sharedContext.ts'

export { expect, type OtherBrowser }

export const openSource = 'local-open-source'
export const managed = 'local-managed'
export const connections = [openSource, managed] as const

/** Whether the API of a connection has webhooks: the managed one only under the product's names. */
export const hasWebhooks = (connectionId: string): boolean => connectionId === openSource || naming === 'clickhouse'

/** Console messages that do not mean that the page is broken: rejected requests are part of some tests. */
const expectedMessages = [/Failed to load resource: the server responded with a status of/]

export const test = base.extend<{ noErrors: void; api: StackApi }>({
  noErrors: [
    async ({ context, product }, run) => {
      const problems: string[] = []
      const logged = existsSync(product.logFile) ? statSync(product.logFile).size : 0
      const checkMessage = (message: ConsoleMessage) => {
        const text = message.text()
        if (message.type() === 'error' && !expectedMessages.some((known) => known.test(text))) problems.push(text)
      }
      const reportError = (error: WebError) => problems.push(String(error.error()))
      const searchForSecrets = (place: string, text: string) => {
        const found = secretsIn(text)
        if (found.length === 0) return
        problems.push(`${place} has ${found.join(', ')}`)
        // Fails the last project as well: a retry in which nothing leaks does not hide it.
        appendFileSync(leaksFile, `${place} has a key\n`)
      }
      const checkResponse = async (response: Response) => {
        // The files of the page are the same for everybody: `secrets.last.ts` searches them once.
        if (new URL(response.url()).pathname.startsWith('/assets/')) return
        const body = await response.body().catch(() => Buffer.alloc(0))
        searchForSecrets(response.url(), body.toString('latin1') + JSON.stringify(response.headers()))
      }
      context.on('console', checkMessage)
      context.on('weberror', reportError)
      context.on('response', checkResponse)
      await run()
      // The next test may have the same stack.
      clearFaults()
      for (const page of context.pages()) searchForSecrets(`The storage of ${page.url()}`, await storageOf(page))
      searchForSecrets(product.logFile, readFrom(product.logFile, logged))
      context.off('console', checkMessage)
      context.off('weberror', reportError)
      context.off('response', checkResponse)
      expect(problems, 'console errors and leaked secrets').toEqual([])
    },
    { auto: true },
  ],
  api: async ({ playwright }, run) => {
    const request = await playwright.request.newContext()
    await run(stackApi(request))
    await request.dispose()
  },
})

/** The storage and the document of a page. */
function storageOf(page: Page): Promise<string> {
  return page
    .evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML]))
    .catch(() => '')
}

/** The bytes of a file from one on. */
function readFrom(path: string, start: number): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - start))
    readSync(file, bytes, 0, bytes.length, start)
    return bytes.toString('latin1')
  } finally {
    closeSync(file)
  }
}

/** Runs the tests of a file as most people see the pages: menus, dialogs and messages fade in and out. */
export function withTransitions(): void {
  test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'no-preference' }))
}

/** The stack's API without the gateway: to prepare a test and to check its result. */
export type StackApi = ReturnType<typeof stackApi>

function stackApi(request: APIRequestContext) {
  const { personalAccessKey } = credentials()
  const headers = { authorization: `Bearer ${personalAccessKey}` }
  async function call<S extends z.ZodType>(schema: S, method: string, path: string, body?: unknown) {
    const answer = await request.fetch(`${apiURL}/api/v2${path}`, { method, headers, data: body })
    expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true)
    return schema.parse(z.object({ data: z.unknown() }).parse(await answer.json()).data)
  }
  async function remove(path: string): Promise<void> {
    const answer = await request.fetch(`${apiURL}/api/v2${path}`, { method: 'DELETE', headers })
    expect(answer.ok(), `DELETE ${path}: ${answer.status()}`).toBe(true)
  }
  const api = {
    alerts: () => call(z.array(alert), 'GET', '/alerts'),
    alert: (id: string) => call(alert, 'GET', `/alerts/${id}`),
    updateAlert: (id: string, body: unknown) => call(alert, 'PUT', `/alerts/${id}`, body),
    dashboards: () => call(z.array(dashboard), 'GET', '/dashboards'),
    updateDashboard: (id: string, body: unknown) => call(dashboard, 'PUT', `/dashboards/${id}`, body),
    webhooks: () => call(z.array(webhook), 'GET', '/webhooks'),
    createWebhook: (name: string, more: object = {}) =>
      call(webhook, 'POST', '/webhooks', { name, service: 'generic', url: 'http://93.184.215.14/hook', ...more }),
    updateWebhook: (id: string, body: unknown) => call(webhook, 'PUT', `/webhooks/${id}`, body),
    sources: () => call(z.array(source), 'GET', '/sources'),
    source: (id: string) => call(source, 'GET', `/sources/${id}`),
    /** A source of logs beside the one that every stack has, with the same columns. */
    createSource: async (name: string, more: object = {}) => {
      const logs = (await api.sources()).find(({ kind }) => kind === 'log')
      return call(source, 'POST', '/sources', { ...logs, name, ...more })
    },
    updateSource: (id: string, body: unknown) => call(source, 'PUT', `/sources/${id}`, body),
    deleteSource: (id: string) => remove(`/sources/${id}`),
    createDashboard: (name: string, sourceId: string) =>
      call(dashboard, 'POST', '/dashboards', {
        name,
        tiles: [
          {
            name: 'Lines',
            x: 0,
            y: 0,
            w: 12,
            h: 4,
            config: { displayType: 'line', sourceId, select: [{ aggFn: 'count', where: '' }] },
          },
        ],
      }),
    deleteDashboard: (id: string) => remove(`/dashboards/${id}`),
    silence: (id: string, body: object) => call(alert, 'POST', `/alerts/${id}/silenced`, body),
    acknowledge: (id: string, body: object) => call(alert, 'POST', `/alerts/${id}/acknowledged`, body),
    deleteAlert: (id: string) => remove(`/alerts/${id}`),
    /** An alert on the first line tile of the dashboard that every stack has. */
    createAlert: async (name: string, channels?: string[], more: object = {}) => {
      const health = (await api.dashboards()).find(({ name }) => name === 'Stack health')
      const tile = health?.tiles.find(({ config }) => config?.displayType === 'line')
      const [hook] = await api.webhooks()
      return call(alert, 'POST', '/alerts', {
        source: 'tile',
        dashboardId: health?.id,
        tileId: tile?.id,
        name,
        threshold: 12,
        thresholdType: 'above',
        interval: '5m',
        channels: (channels ?? [hook?.id]).map((webhookId) => ({ type: 'webhook', webhookId })),
        ...more,
      })
    },
    /** An alert on a new saved search of logs. */
    createSearchAlert: async (name: string, where: string, more: object = {}) => {
      const logs = (await api.sources()).find(({ kind }) => kind === 'log')
      const [hook] = await api.webhooks()
      const search = { name, sourceId: logs?.id, where, whereLanguage: 'lucene', select: '', orderBy: '', tags: [] }
      const { id } = await call(savedSearches.create.result, 'POST', '/saved-searches', search)
      return call(alert, 'POST', '/alerts', {
        source: 'saved_search',
        savedSearchId: id,
        name,
        threshold: 1,
        thresholdType: 'above',
        interval: '5m',
        channels: [{ type: 'webhook', webhookId: hook?.id }],
        ...more,
      })
    },
  }
  return api
}

export interface Fault {
  /** Method and path prefix, `*` allowed: `PUT /api/v2/alerts`. */
  match: string
  /** Only requests with this personal access key or this ID of an API key. */
  key?: string
  status?: number
  body?: unknown
  contentType?: string
  headers?: Record<string, string>
  /** The request is handled once other faults are set. */
  hold?: boolean
  /** Drops the socket before or after the handler ran. */
  reset?: 'before' | 'after'
  times?: number
}

/** The stack responds with these from the next request on. Cleared after each test. */
export function setFaults(...faults: Fault[]): void {
  writeFaults(join(dataDir, 'faults.json'), faults)
}

/** @param file that a stack reads its faults from */
export function writeFaults(file: string, faults: readonly Fault[]): void {
  // Moved into place, or the stack could read half of it.
  writeFileSync(`${file}.next`, JSON.stringify(faults))
  renameSync(`${file}.next`, file)
}

export function clearFaults(): void {
  setFaults()
}

/** No number, no word, no abbreviation such as SQL or MB that a test looks for is part of a name by chance. */
const letters = 'dfghjkmnprtvwxz'

/** A name that no other test has. */
export function unique(stem: string): string {
  return `${stem} ${Array.from({ length: 7 }, () => letters[randomInt(letters.length)]).join('')}`
}

/** Types a date and time into its parts: `2026-01-02 03:04`, in the time zone of the field. */
export async function typeDateTime(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('group', { name: label }).getByRole('spinbutton').first().click()
  await page.keyboard.type(text.replaceAll(/\D/g, ''))
}

/** Chooses what the page of a record has in its menu. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
