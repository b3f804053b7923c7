/**
 * The clock of a running product is set forward and back, for a while or for good, and its processes are suspended. Alerts
 * are evaluated again soon, no notification is false or missing, and everything else that waits for a time happens when it
 * should.
 * `SOAK_FORWARD` is the hours of a step forward, `SOAK_HOLD` the seconds for which a step holds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { clockScene, type ClockScene } from './clockScene.ts'
import { startSteppedProduct } from './steppedProduct.ts'

const minute = 60_000
/** More than the time for which a session may be idle, and than the retention of telemetry. */
const forward = Number(process.env['SOAK_FORWARD'] ?? 49) * 3600
const back = 2 * 3600
/** Milliseconds. Steps that hold for less than two minutes are not adopted. */
const hold = Number(process.env['SOAK_HOLD'] ?? 300) * 1000
const shortStep = 80_000
/** Two passes of the evaluation. */
const soon = 2 * minute + 20_000

/** @returns what did not happen in time, or should not have happened */
export async function clockSteps(): Promise<string[]> {
  const product = await startSteppedProduct()
  try {
    const scene = await clockScene(product)
    const faults: string[] = []
    const check = async (what: string, more: () => Promise<string[]> = async () => []) => {
      const ofAlerts = async () => [...(await evaluatedAgain(scene)), ...(await scene.check()), ...(await more())]
      const found = (await Promise.all([ofAlerts(), scene.waits.check(), scene.nextIncident()])).flat()
      console.log(`${what}: ${found.length === 0 ? 'as it should be' : found.join('; ')}. ${await scene.figures()}`)
      faults.push(...found.map((fault) => `${what}: ${fault}`))
    }
    await check('before any step')

    const steppedAt = product.wall()
    product.setClock(6 * 3600)
    const begun = performance.now()
    const during = await scene.waits.checkDuringStep()
    faults.push(...during.map((fault) => `while the clock is 6 h ahead for 80 s: ${fault}`))
    await sleep(Math.max(0, shortStep - (performance.now() - begun)))
    product.setClock(0)
    await check('6 h forward for 80 s, and back', () => scene.notEvaluated(steppedAt, steppedAt + shortStep))

    const heldAt = product.wall()
    product.setClock(forward)
    product.setProviderClock(forward)
    await sleep(hold)
    await check(`${forward / 3600} h forward`, async () => [
      ...(await scene.notEvaluated(heldAt + minute, heldAt + forward * 1000)),
      ...(await scene.longWaitsAreOver()),
    ])

    product.setClock(forward - back)
    product.setProviderClock(forward - back)
    await sleep(hold)
    await check(`${back / 3600} h back`)

    await product.suspend(minute)
    await check('suspended for a minute')

    product.setClock(0)
    product.setProviderClock(0)
    await sleep(hold)
    await check(`${(forward - back) / 3600} h back`)

    await scene.close()
    await product.stop()
    const ahead = await scene.timesAhead()
    faults.push(...ahead.map((fault) => `ahead of the time after the last step: ${fault}`))
    return faults
  } finally {
    await product.remove()
  }
}

/** Waits for an evaluation of the newest window. */
async function evaluatedAgain(scene: ClockScene): Promise<string[]> {
  const until = performance.now() + soon
  while (performance.now() < until) {
    if (await scene.isCurrent()) return []
    await sleep(2000)
  }
  return ['alerts were not evaluated again within two passes']
}
