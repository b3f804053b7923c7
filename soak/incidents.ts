/** Incidents that begin one after the other, each with an alert of its own, and the notifications that they have to send. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { startReceiver } from '../src/stack/testing/testReceiver.ts'
import { createWatchedTile } from './watchedTile.ts'

/** Seconds in which a notification has to be sent: three windows and their passes. */
const noticeTime = 260

export class Incidents {
  #number = 0
  readonly #call: Parameters<typeof createWatchedTile>[0]
  readonly #receiver: Awaited<ReturnType<typeof startReceiver>>

  /** @param call a request to the open-source variant of the stack, which resolves to the data of its response */
  constructor(call: Parameters<typeof createWatchedTile>[0], receiver: Awaited<ReturnType<typeof startReceiver>>) {
    this.#call = call
    this.#receiver = receiver
  }

  /** The service whose logs are the incident that goes on. */
  get service(): string {
    return `incident-${this.#number}`
  }

  /** Ends the incident that goes on, and begins another one. @returns what was not sent, or was sent too often */
  async next(): Promise<string[]> {
    const last = this.#number++
    const onService = await createWatchedTile(this.#call, this.#receiver.url, `ServiceName:"${this.service}"`)
    await this.#call('POST', '/alerts', { ...onService, interval: '1m', threshold: 1, name: alertName(this.#number) })
    const [begun, ended] = await Promise.all([this.#sent(this.#number, 1), last === 0 ? [] : this.#sent(last, 2)])
    return [...begun, ...ended]
  }

  /** Waits until an incident has sent so many notifications. */
  async #sent(incident: number, expected: number): Promise<string[]> {
    const sent = () =>
      this.#receiver.requests.map(({ body }) => body).filter((body) => body.includes(alertName(incident)))
    for (let second = 0; second < noticeTime && sent().length < expected; second++) await sleep(1000)
    if (sent().length === expected) return []
    return [`incident ${incident} sent ${sent().length} notifications instead of ${expected}: ${sent().join(', ')}`]
  }
}

const alertName = (incident: number) => `Incident ${incident}.`
