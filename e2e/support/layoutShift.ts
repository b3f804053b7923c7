import type { Page } from '@playwright/test'

/** The cumulative layout shift of the page since it was opened. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let shift = 0
    const note = (list: PerformanceObserverEntryList) => {
      // The types of the DOM do not have this entry.
      for (const entry of list.getEntries()) shift += (entry as PerformanceEntry & { value: number }).value
    }
    new PerformanceObserver(note).observe({ type: 'layout-shift', buffered: true })
    await new Promise((wake) => setTimeout(wake, 500))
    return shift
  })
}
