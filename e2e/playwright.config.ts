import { defineConfig } from '@playwright/test'
import { baseURL, chromium, stacks, storageState, workers } from './support/environment.ts'

const use = {
  baseURL,
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
  // Tests share nothing but the stack of their worker, whose faults end with each test: see `workers`.
  fullyParallel: true,
  workers,
  // Continuous integration repeats a test that fails, once. `flakyTests.ts` names what passed only then.
  retries: process.env.CI ? 1 : 0,
  // Well above the longest test on 2 idle cores, because other machines are slower.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./support/failedPage.ts'], ['./support/noSkippedTests.ts'], ['./support/flakyTests.ts']],
  use,
  webServer: {
    command: 'npx tsx e2e/support/server.ts',
    cwd: '..',
    // Started when the others are ready.
    url: `${stacks.at(-1)?.baseURL}/api/session`,
    timeout: 240_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
  projects: [
    { name: 'sign in', testMatch: 'sign-in.setup.ts' },
    { name: 'console', dependencies: ['sign in'], use: { ...use, storageState } },
    { name: 'secrets', testMatch: 'secrets.last.ts', dependencies: ['console'], use: { ...use, storageState } },
  ],
})
