/** A product on a machine whose clock can be set and that can be suspended. */
import { renameSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startProduct, type Product } from './product.ts'

/**
 * The path of libfaketime, which shifts the clock for the engine and SQLite too. Without it, only that of the code in
 * JavaScript is shifted.
 */
const { SOAK_FAKETIME: faketime } = process.env

export interface SteppedProduct extends Product {
  /** Epoch milliseconds of the machine that the product runs on. */
  wall(): number
  /** Sets the clock of the machine, by seconds relative to the true time. */
  setClock(seconds: number): void
  /** All processes of the product stand still, and the clocks go on. */
  suspend(milliseconds: number): Promise<void>
}

/** @throws Error with its last output if it does not start */
export async function startSteppedProduct(): Promise<SteppedProduct> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-clock-'))
  const offsetFile = join(folder, 'offset')
  let offset = 0
  const setClock = (seconds: number) => {
    writeFileSync(`${offsetFile}.new`, `${seconds < 0 ? '' : '+'}${seconds}`)
    renameSync(`${offsetFile}.new`, offsetFile)
    offset = seconds * 1000
  }
  setClock(0)
  const product = await startProduct(clockVariables(offsetFile))
  return {
    ...product,
    wall: () => Date.now() + offset,
    setClock,
    async suspend(milliseconds) {
      product.signal('SIGSTOP')
      await sleep(milliseconds)
      product.signal('SIGCONT')
    },
    async remove() {
      await product.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function clockVariables(offsetFile: string): Record<string, string> {
  if (faketime) {
    return {
      LD_PRELOAD: faketime,
      FAKETIME_TIMESTAMP_FILE: offsetFile,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_NO_CACHE: '1',
    }
  }
  const preload = resolve(import.meta.dirname, '../src/node/testing/clockOffset.mjs')
  return { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`, CLOCK_OFFSET_FILE: offsetFile }
}
