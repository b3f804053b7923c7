/** What a person waits for: the product as `npm start` runs it, in a browser with an empty cache. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Locator, type Page } from '@playwright/test'
import { median, milliseconds, time, type Row } from './measure.ts'

const uiPort = 28480
const root = `http://127.0.0.1:${uiPort}`
const password = 'only-for-the-bench'
const runs = 7

export async function page(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'))
  const server = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
    env: {
      ...process.env,
      UI_PORT: String(uiPort),
      API_PORT: '28400',
      OTLP_HTTP_PORT: '28418',
      OTLP_GRPC_PORT: '28417',
      DATA_DIR: dataDir,
      SAMPLE: '0',
      CONSOLE_PASSWORD: password,
      RATE_LIMIT_OPEN_SOURCE: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const browser = await chromium.launch({
    executablePath: ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync),
    args: ['--no-sandbox'],
  })
  try {
    await untilReady(server)
    return [await alertsList(browser), await explorerChart(browser)]
  } finally {
    await browser.close()
    if (server.kill('SIGTERM')) await once(server, 'exit')
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function untilReady(server: ReturnType<typeof spawn>): Promise<void> {
  while (server.exitCode === null) {
    const answer = await fetch(`${root}/api/session`).catch(() => null)
    // Refused without the header of the page: it listens.
    if (answer) return
    await new Promise((wake) => setTimeout(wake, 200))
  }
  throw new Error('the product did not start')
}

/** Navigation until `usable` is in sight, each time in a context that has nothing but the session. */
async function cold(browser: Browser, path: string, usable: (tab: Page) => Locator) {
  const first = await browser.newContext()
  const signIn = await first.newPage()
  await signIn.goto(`${root}/sign-in`)
  await signIn.getByLabel('Password', { exact: true }).fill(password)
  await signIn.keyboard.press('Enter')
  await signIn.getByRole('navigation').first().waitFor()
  const storageState = await first.storageState()
  await first.close()

  const waits: number[] = []
  let bytes = 0
  let requests = 0
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext({ storageState })
    const tab = await context.newPage()
    bytes = 0
    requests = 0
    tab.on('requestfinished', async (request) => {
      requests++
      const sizes = await request.sizes().catch(() => null)
      if (request.resourceType() === 'script') bytes += sizes?.responseBodySize ?? 0
    })
    waits.push(
      await time(async () => {
        await tab.goto(root + path)
        await usable(tab).first().waitFor()
      }),
    )
    await tab.waitForLoadState('networkidle')
    await context.close()
  }
  return { wait: median(waits), scripts: Math.round(bytes / 1024), requests }
}

async function alertsList(browser: Browser): Promise<Row> {
  const { wait, scripts, requests } = await cold(browser, '/c/local-open-source/alerts', (tab) =>
    tab.getByRole('rowheader'),
  )
  return {
    what: 'Alerts list, empty cache, until its rows are there',
    result: `${milliseconds(wait)}, ${scripts} KiB of compressed JavaScript, ${requests} requests`,
    aim: '300 kB of JavaScript; the vendor’s list of dashboards: 770 ms, 2,630 KiB, 132 requests',
  }
}

async function explorerChart(browser: Browser): Promise<Row> {
  const { wait, scripts, requests } = await cold(browser, '/c/local-open-source/explorer', (tab) =>
    tab.getByRole('table', { name: 'Legend' }),
  )
  return {
    what: 'Explorer, empty cache, until the first chart is drawn',
    result: `${milliseconds(wait)}, ${scripts} KiB of compressed JavaScript, ${requests} requests`,
    aim: 'the vendor’s: 1,722 ms, 2,502 KiB, 111 requests',
  }
}
