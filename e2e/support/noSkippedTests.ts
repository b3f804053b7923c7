/** Fails a run of the browser tests with skipped tests, which must not count as passed. */
import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter'

// oxlint-disable-next-line import/no-default-export -- Playwright loads a reporter by its file
export default class NoSkippedTests implements Reporter {
  readonly #skipped: string[] = []

  onTestEnd(test: TestCase, { status }: TestResult): void {
    if (status === 'skipped') this.#skipped.push(test.titlePath().filter(Boolean).join(' › '))
  }

  onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] }> {
    if (this.#skipped.length === 0 || status !== 'passed') return Promise.resolve({ status })
    process.stderr.write(`Skipped, which is not allowed:\n${this.#skipped.map((name) => `  ${name}\n`).join('')}`)
    return Promise.resolve({ status: 'failed' })
  }
}
