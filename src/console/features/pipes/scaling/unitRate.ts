/** What a compute unit costs, as this browser was told for a connection. */
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

/** USD for a compute unit and hour; the public list's where nothing else was said. */
export function useUnitRate(connectionId: string): number {
  return useStore(store, (all) => all[connectionId] ?? pipeRates.computeUnitHour)
}

export function setUnitRate(connectionId: string, rate: number): void {
  store.setState((all) => ({ ...all, [connectionId]: rate }))
  try {
    localStorage.setItem(key, JSON.stringify(store.state))
  } catch {
    // A browser that keeps nothing still works; it only forgets.
  }
}
