/** The price of a compute unit, saved in this browser per connection. */
import { Store, useStore } from '@tanstack/react-store'
import { z } from 'zod'
import { pipeRates } from '#contract/pipePrices.ts'

const key = 'stack-console.rates'
const rates = z.record(z.string(), z.number().nonnegative()).catch({})

function load(): Record<string, number> {
  try {
    return rates.parse(JSON.parse(localStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}

const store = new Store<Record<string, number>>(load())

/** USD per compute unit and hour. The list price by default. */
export function useUnitRate(connectionId: string): number {
  return useStore(store, (all) => all[connectionId] ?? pipeRates.computeUnitHour)
}

export function setUnitRate(connectionId: string, rate: number): void {
  store.setState((all) => ({ ...all, [connectionId]: rate }))
  try {
    localStorage.setItem(key, JSON.stringify(store.state))
  } catch {
    // Without local storage, the price lasts until the page is closed.
  }
}
