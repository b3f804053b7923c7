/**
 * A console with 200 connections of 245 dashboards each: Home the first time, again and after a restart, and the search of names.
 * The deployments are simulated: each answers what a real stack answered, after 15 ms.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser } from '@playwright/test'
import { environmentPaths } from '#contract/console/environmentPaths.ts'
import type { Seed } from '#gateway/connections/connections.ts'
import { startKillable, type KillableGateway } from '../src/server/testing/killableGateway.ts'
import { signIn } from '../src/server/testing/orderedGateway.ts'
import { launchOptions } from './support/chromium.ts'
import { milliseconds, time, type Row } from './support/measure.ts'
import { withStack, type BenchStack } from './support/stack.ts'

const count = 200
const dashboards = 245
/** Milliseconds after which a deployment answers. */
const delay = 15

export function connections(): Promise<Row[]> {
  return withStack(async (stack) => {
    await fill(stack)
    const deployments = await startDeployments(stack)
    const folder = await mkdtemp(join(tmpdir(), 'bench-connections-'))
    const order = {
      dataDir: join(folder, 'data'),
      distDir: join(import.meta.dirname, '../dist'),
      seeds: seedsOf(deployments, stack.identity.personalAccessKey),
    }
    const browser = await chromium.launch(launchOptions)
    try {
      const first = await startKillable(order)
      const cookie = await signIn({ address: first.address, signInUrl: () => first.signInUrl })
      const cold = await visitHome(browser, first, cookie)
      const warm = await visitHome(browser, first, cookie)
      const names = await search(first, cookie)
      // The readings are stored some seconds later.
      await sleep(5_000)
      await first.kill()
      const second = await startKillable(order)
      const namesAgain = await search(second, cookie)
      const restarted = await visitHome(browser, second, cookie)
      await second.kill()
      return [
        row('Home the first time', textOf(cold)),
        row('Home again', textOf(warm)),
        row('Home after a restart', textOf(restarted)),
        row('search of names; after a restart', `${milliseconds(names)}; ${milliseconds(namesAgain)}`),
      ]
    } finally {
      await browser.close()
      deployments.closeAllConnections()
      deployments.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
}

async function fill({ post }: BenchStack): Promise<void> {
  for (let at = 0; at < dashboards; at++) {
    const tiles = Array.from({ length: 4 }, (_, tile) => ({
      name: `Tile ${tile}`,
      x: tile * 6,
      y: 0,
      w: 6,
      h: 4,
      config: { displayType: 'markdown', markdown: `Notes ${at} of ${tile}` },
    }))
    await post('/api/v2/dashboards', { name: `Dashboard ${at}`, tags: [`team-${at % 40}`], tiles })
  }
}

/** Answers on all loopback addresses with what the stack answered to the same request. */
async function startDeployments({ url, identity }: BenchStack): Promise<Server> {
  const answers = new Map<string, Promise<{ status: number; type: string; body: string }>>()
  const headers = { authorization: `Bearer ${identity.personalAccessKey}` }
  const ask = async (path: string) => {
    const response = await fetch(url + path, { headers })
    return { status: response.status, type: response.headers.get('content-type') ?? '', body: await response.text() }
  }
  const server = createServer(async ({ url: path = '' }, response) => {
    const answer = answers.get(path) ?? ask(path)
    answers.set(path, answer)
    const [{ status, type, body }] = await Promise.all([answer, sleep(delay)])
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  return server
}

function seedsOf(deployments: Server, accessKey: string): Seed[] {
  const { port } = deployments.address() as AddressInfo // it listens on a port
  return Array.from({ length: count }, (_, at) => ({
    id: `connection-${at}`,
    name: `Connection ${at}`,
    variant: 'openSource' as const,
    baseUrl: `http://127.0.1.${at + 1}:${port}`,
    allowPrivate: true,
    accessKey,
  }))
}

interface Visit {
  /** Milliseconds until the firing alerts of a connection are known, and until those of all are. */
  first: number
  all: number
  /** Processor time of the page's process in that time, milliseconds. */
  processor: number
}

async function visitHome(browser: Browser, { address }: KillableGateway, cookie: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: address }])
  const tab = await context.newPage()
  await tab.addInitScript(observe, count)
  await tab.goto(`${address}/`, { waitUntil: 'commit' })
  // The page's policy forbids the eval of `waitForFunction`.
  const read = () => tab.evaluate(() => window.known ?? { first: 0, all: 0 })
  while ((await read()).all === 0) await tab.waitForTimeout(100)
  const visit = { ...(await read()), processor: await processorTime(browser) }
  await context.close()
  return visit
}

declare global {
  interface Window {
    known?: Pick<Visit, 'first' | 'all'>
  }
}

/** Runs in the page. */
function observe(lines: number): void {
  const known = { first: 0, all: 0 }
  window.known = known
  const timer = setInterval(() => {
    const read = document.querySelectorAll('table[aria-label=Environments] td:nth-of-type(2) a').length
    if (read > 0 && known.first === 0) known.first = performance.now()
    if (read < lines) return
    known.all = performance.now()
    clearInterval(timer)
  }, 8)
}

/** The processor time of the one page that is open, milliseconds. */
async function processorTime(browser: Browser): Promise<number> {
  const devTools = await browser.newBrowserCDPSession()
  const { processInfo } = await devTools.send('SystemInfo.getProcessInfo')
  await devTools.detach()
  return 1_000 * Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ cpuTime }) => cpuTime))
}

const search = (gateway: KillableGateway, cookie: string) =>
  time(() => gateway.call('GET', `${environmentPaths.recordSearch}?q=Dashboard+24`, undefined, { cookie }))

const row = (what: string, result: string): Row => ({
  what: `${count} connections of ${dashboards} dashboards: ${what}`,
  result,
  aim: '300 ms',
})

const textOf = ({ first, all, processor }: Visit) =>
  `first line ${milliseconds(first)}, all ${milliseconds(all)}; the page's processor time ${milliseconds(processor)}`
