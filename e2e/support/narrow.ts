/** Pages on a narrow screen. */
import { expect, type Page } from '@playwright/test'
import { loaded } from './stillPages.ts'

export const narrow = { width: 390, height: 844 }

/** Nothing makes the page wider than the screen, and every control is on it or in something that scrolls sideways. */
export async function expectFits(page: Page, state: string): Promise<void> {
  await loaded(page)
  const found = await page.getByRole('main').evaluate((main) => {
    const wide: string[] = []
    for (let around: Element | null = main; around; around = around.parentElement)
      if (around.scrollWidth > around.clientWidth) wide.push(`${around.tagName} is ${around.scrollWidth} px wide`)
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element !== main &&
      (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    const right = document.documentElement.clientWidth
    const outside = [...main.querySelectorAll('a, button, input, select, textarea, [role="slider"], [tabindex="0"]')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((control) => {
        const box = control.getBoundingClientRect()
        return box.width > 1 && (box.left < -0.5 || box.right > right + 0.5) && !scrolls(control.parentElement)
      })
    return [...wide, ...outside.map((control) => control.outerHTML.slice(0, 200))]
  })
  expect(found, state).toEqual([])
}
