/** Prices that a person entered, saved in this browser: for pipes by connection, for services beside it. */
import { Store, useStore } from '@tanstack/react-store'
import { z } from 'zod'
import { pipeRates } from '#domain/sizing/pipePrices.ts'

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

/** USD per compute unit of a pipe and hour. The list price by default. */
export function useUnitRate(connectionId: string): number {
  return useStore(store, (all) => all[connectionId] ?? pipeRates.computeUnitHour)
}

/** USD for 8 GiB of a service's memory in an hour; null as long as nobody entered it: no list has it. */
export function useServiceRate(connectionId: string): number | null {
  return useStore(store, (all) => all[serviceKey(connectionId)] ?? null)
}

export const setUnitRate = (connectionId: string, rate: number): void => save(connectionId, rate)
export const setServiceRate = (connectionId: string, rate: number): void => save(serviceKey(connectionId), rate)

const serviceKey = (connectionId: string) => `${connectionId}/services`

function save(name: string, rate: number): void {
  store.setState((all) => ({ ...all, [name]: rate }))
  try {
    localStorage.setItem(key, JSON.stringify(store.state))
  } catch {
    // Without local storage, the price lasts until the page is closed.
  }
}
