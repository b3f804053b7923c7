/** Prints what the page showed when a test failed: of a run elsewhere, often only the output is kept. */
import { readFileSync } from 'node:fs'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** Characters of a page. */
const most = 6000

// oxlint-disable-next-line import/no-default-export -- Playwright loads a reporter by its file
export default class FailedPage implements Reporter {
  onTestEnd(test: TestCase, { attachments }: TestResult): void {
    // Playwright adds it to failed tests only.
    for (const { name, path } of attachments) {
      if (name !== 'error-context' || path === undefined) continue
      process.stdout.write(`\nThe page when “${test.title}” failed:\n${readFileSync(path, 'utf8').slice(0, most)}\n`)
    }
  }
}
