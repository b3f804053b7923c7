/** A product on a machine whose clock can be set and that can be suspended, and a provider whose clock is another one. */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/node/testing/freePort.ts'
import { startTestProvider, type TestProvider } from '../src/node/testing/testProvider.ts'
import { startProduct, type Product } from './processes/product.ts'
import { settableClock } from './processes/settableClock.ts'

export interface SteppedProduct extends Product {
  /** Signs people in to the console, on a machine with a clock of its own. */
  provider: TestProvider
  /** Epoch milliseconds of the machine that the product runs on. */
  wall(): number
  /** Sets the clock of the machine, by seconds relative to the true time. */
  setClock(seconds: number): void
  /** Sets the clock of the provider. */
  setProviderClock(seconds: number): void
  /** All processes of the product stand still, and the clocks go on. */
  suspend(milliseconds: number): Promise<void>
}

/** @throws Error with its last output if it does not start */
export async function startSteppedProduct(): Promise<SteppedProduct> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-clock-'))
  const clock = settableClock(join(folder, 'offset'))
  const providerClock = settableClock(join(folder, 'provider-offset'))
  const port = await freePort()
  const provider = await startTestProvider({
    origins: [`http://127.0.0.1:${port}`],
    env: providerClock.variables,
  })
  const { clientSecret, ...settings } = provider.settings
  writeFileSync(join(folder, 'secret'), clientSecret)
  const entry = { ...settings, id: 'test', label: 'Test', clientSecretFile: join(folder, 'secret') }
  const providers = [{ ...entry, createPeople: true, groups: [{ group: '*', role: 'viewer' }] }]
  writeFileSync(join(folder, 'providers.json'), JSON.stringify({ providers }))
  const product = await startProduct({
    ...clock.variables,
    UI_PORT: String(port),
    OIDC_PROVIDERS: join(folder, 'providers.json'),
    // A day ahead, all telemetry is old.
    RETENTION_DAYS: '1',
    RATE_LIMIT_OPEN_SOURCE: String(requestsPerMinute),
  })
  return {
    ...product,
    provider,
    wall: clock.wall,
    setClock: clock.set,
    setProviderClock: providerClock.set,
    async suspend(milliseconds) {
      product.signal('SIGSTOP')
      await sleep(milliseconds)
      product.signal('SIGCONT')
    },
    async remove() {
      await product.remove()
      await provider.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The rate limit of one key of the open-source variant. */
export const requestsPerMinute = 2000
