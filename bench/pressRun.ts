/** Measures pressing Run in the explorer, until the chart shows the new result. */
import { conditions, slowDown } from './coldLoad.ts'
import { median, milliseconds } from './support/measure.ts'
import { root, type Product } from './support/product.ts'

/** Runs in the page: presses Run, and waits until the page is no longer loading and the chart no longer dimmed. */
async function pressRun(): Promise<number> {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Run')
  if (!button) throw new Error('the page has no Run')
  const begin = performance.now()
  button.click()
  let started = false
  let busy = false
  while (!started || busy) {
    await new Promise(requestAnimationFrame)
    const content = document.querySelector('main [role="application"]')?.parentElement
    busy =
      document.querySelector('main [aria-label="Loading"]') !== null ||
      !content ||
      getComputedStyle(content).opacity !== '1'
    started ||= busy
  }
  // The frame with the chart.
  await new Promise(requestAnimationFrame)
  return performance.now() - begin
}

/** Presses Run several times under each of the conditions of a processor. */
export async function pressesOfRun(product: Product, path: string, usable: string, runs: number): Promise<string> {
  const lines: string[] = []
  for (const under of conditions.filter(({ network }) => !network)) {
    const context = await product.signedIn()
    const tab = await context.newPage()
    await tab.goto(root + path)
    await tab.locator(usable).waitFor()
    await slowDown(await context.newCDPSession(tab), under)
    // The first press warms up.
    await tab.evaluate(pressRun)
    const presses: number[] = []
    for (let run = 0; run < runs; run++) presses.push(await tab.evaluate(pressRun))
    await context.close()
    lines.push(`${under.name}: ${milliseconds(median(presses))}`)
  }
  return lines.join('; ')
}
