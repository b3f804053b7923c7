import { defineConfig } from '@playwright/test'
import { baseURL, chromium, stacks, storageState, workers } from './environment.ts'

const use = {
  baseURL,
  viewport: { width: 1440, height: 900 },
  launchOptions: { executablePath: chromium, args: ['--no-sandbox'] },
  permissions: ['clipboard-read', 'clipboard-write'],
  // Without the film, which costs a quarter of the time: a failure has its picture.
  trace: { mode: 'retain-on-failure' as const, screenshots: false, snapshots: true },
  screenshot: 'only-on-failure' as const,
}

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../test-results',
  // The tests of a file run one after the other, files side by side: see `workers`.
  workers,
  retries: 0,
  // Well above what the longest takes on 2 quiet cores: other machines are slower.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./noSkippedTests.ts']],
  use,
  webServer: {
    command: 'npx tsx e2e/server.ts',
    cwd: '..',
    // The last to be ready.
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
