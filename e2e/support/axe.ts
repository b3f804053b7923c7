/** The findings of axe on a page, by WCAG 2.2 A and AA. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import { loaded } from './stillPages.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type RunOnly = { type: 'tag' | 'rule'; values: readonly string[] }

const allRules: RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
/** The rules whose result depends on colors. Themes differ in nothing else. */
const colorRules: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** One line for each element that breaks a rule, in both themes. Leaves the page in the light theme. */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const [colorScheme, rules] of [
    ['dark', colorRules],
    ['light', allRules],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    found.push(...(await violationsNow(page, rules)).map((line) => `${colorScheme}: ${line}`))
  }
  return found
}

/** Once the page has nothing more to load. @param state of the page, for the failure */
export async function expectNoViolations(page: Page, state: string): Promise<void> {
  await loaded(page)
  expect(await violations(page), state).toEqual([])
}

async function violationsNow(page: Page, runOnly: RunOnly): Promise<string[]> {
  // During a transition, colors are neither the ones before nor the ones after it.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  )
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const found: { id: string; nodes: { html: string; failureSummary?: string }[] }[] = await page.evaluate(
    (only) =>
      // axe is the script that was evaluated above.
      (globalThis as unknown as { axe: { run(options: object): Promise<{ violations: [] }> } }).axe
        .run({ runOnly: only, resultTypes: ['violations'] })
        .then((results) => results.violations),
    runOnly,
  )
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`))
}
