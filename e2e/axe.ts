/** What axe finds on a page, by WCAG 2.2 A and AA. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** One line for each element that breaks a rule, in the light theme and in the dark one. Leaves the page in the light one. */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    found.push(...(await violationsNow(page)).map((line) => `${colorScheme}: ${line}`))
  }
  return found
}

/** Once the page has nothing more to load. @param state of the page, for the failure */
export async function expectNoViolations(page: Page, state: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  expect(await violations(page), state).toEqual([])
}

async function violationsNow(page: Page): Promise<string[]> {
  // Half way through a transition, colours are neither those before nor those after it.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  )
  await page.evaluate(axe)
  const found: { id: string; nodes: { html: string; failureSummary?: string }[] }[] = await page.evaluate(
    (values) =>
      // axe is what was just evaluated.
      (globalThis as unknown as { axe: { run(options: object): Promise<{ violations: [] }> } }).axe
        .run({ runOnly: { type: 'tag', values } })
        .then((results) => results.violations),
    tags,
  )
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`))
}
