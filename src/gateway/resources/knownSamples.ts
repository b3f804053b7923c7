/** Which connections have sample data, by the last response about it: their pages keep a place for the notice. */
export class KnownSamples {
  readonly #found = new Map<string, boolean>()

  /** `status` is the result of an endpoint of the sample; null if the deployment has no such endpoint. */
  note(connectionId: string, status: unknown): void {
    const state = typeof status === 'object' && status !== null && 'state' in status ? status.state : 'absent'
    this.#found.set(connectionId, state !== 'absent')
  }

  isKnown(connectionId: string): boolean {
    return this.#found.has(connectionId)
  }

  /** The IDs of those that have sample data. */
  get present(): string[] {
    return [...this.#found].flatMap(([id, isPresent]) => (isPresent ? id : []))
  }
}
