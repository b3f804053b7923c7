import { defineConfig } from '@playwright/test'
import { chromium, serverPort, workers } from './support/environment.ts'

const use = {
  viewport: { width: 1440, height: 900 },
  launchOptions: { executablePath: chromium, args: ['--no-sandbox', '--process-per-site'] },
  // A tenth of the time is spent on frames of transitions. Some files have them on: see `withTransitions`.
  contextOptions: { reducedMotion: 'reduce' as const },
  permissions: ['clipboard-read', 'clipboard-write'],
  // No trace: even without film and snapshots, recording one costs every test time. A failure has its picture and the text
  // of its page, see `failedPage.ts`; `--trace on` records a test that is looked into.
  screenshot: 'only-on-failure' as const,
}

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: '../test-results',
  // A test has a product without an engine of its own, or shares the stack of its worker: see `testedProduct.ts`.
  fullyParallel: true,
  workers,
  // Continuous integration repeats a test that fails, once. `flakyTests.ts` names what passed only then.
  retries: process.env.CI ? 1 : 0,
  // Far above the longest test on 2 idle cores, because other machines are slower or busy.
  timeout: 240_000,
  // As long as specs wait: only what hangs takes as long, however busy the machine is.
  expect: { timeout: 30_000 },
  reporter: [['list'], ['./support/failedPage.ts'], ['./support/noSkippedTests.ts'], ['./support/flakyTests.ts']],
  use,
  webServer: {
    command: 'node --import tsx e2e/support/server.ts',
    cwd: '..',
    port: serverPort,
    timeout: 240_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
  projects: [{ name: 'console' }, { name: 'secrets', testMatch: 'secrets.last.ts', dependencies: ['console'] }],
})
