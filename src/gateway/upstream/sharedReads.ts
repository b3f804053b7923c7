/** Identical reads at the same time: one flight, many passengers. */
import { priorities } from '#contract/connections.ts'
import type { Priority } from './budget.ts'

/** What a flight runs under: the most important passenger's priority, aborted when the last one has left. */
export interface FlightClaim {
  priority: Priority
  signal: AbortSignal
}

interface Flight<T> {
  claim: FlightClaim
  arrival: Promise<T>
  passengers: number
  cancel: AbortController
}

export class Flights<T> {
  private readonly flights = new Map<string, Flight<T>>()

  /**
   * Joins the flight of this key, or starts it. `onRaise` is called when a passenger made a waiting flight more
   * important. Throws the reason of the passenger's own signal when that one is aborted; the others fly on.
   */
  async join(
    key: string,
    priority: Priority,
    signal: AbortSignal | undefined,
    onRaise: () => void,
    start: (claim: FlightClaim) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted()
    const flight = this.flights.get(key) ?? this.depart(key, priority, start)
    flight.passengers++
    if (priorities.indexOf(priority) < priorities.indexOf(flight.claim.priority)) {
      flight.claim.priority = priority
      onRaise()
    }
    try {
      return await untilAborted(flight.arrival, signal)
    } finally {
      flight.passengers--
      if (flight.passengers === 0) {
        if (this.flights.get(key) === flight) this.flights.delete(key)
        flight.cancel.abort(new DOMException('Nobody waits for this any more.', 'AbortError'))
      }
    }
  }

  private depart(key: string, priority: Priority, start: (claim: FlightClaim) => Promise<T>): Flight<T> {
    const cancel = new AbortController()
    const claim: FlightClaim = { priority, signal: cancel.signal }
    const arrival = start(claim)
    const flight = { claim, arrival, passengers: 0, cancel }
    this.flights.set(key, flight)
    const land = () => {
      if (this.flights.get(key) === flight) this.flights.delete(key)
    }
    arrival.then(land, land)
    return flight
  }
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  let onAbort = () => {}
  const aborted = new Promise<never>((_, fail) => {
    onAbort = () => fail(signal.reason)
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
