/** Prints what the page showed when a test failed: of a run elsewhere, often only the output is kept. */
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** The attachment with the URL and the accessibility tree of a page. */
export const failedPage = 'failed page'

/** Characters of a page. */
const most = 6000

// oxlint-disable-next-line import/no-default-export -- Playwright loads a reporter by its file
export default class FailedPage implements Reporter {
  onTestEnd(test: TestCase, { attachments }: TestResult): void {
    for (const { name, body } of attachments) {
      if (name !== failedPage || !body) continue
      process.stdout.write(`\nThe page when “${test.title}” failed:\n${withoutFrame(body.toString()).slice(0, most)}\n`)
    }
  }
}

/** The URL and what is below the navigation, which is the same on every page. */
function withoutFrame(text: string): string {
  const [, url, rest] = /^(.*\n)[\s\S]*?\n(- main:[\s\S]*)$/.exec(text) ?? []
  return url !== undefined && rest !== undefined ? url + rest : text
}
