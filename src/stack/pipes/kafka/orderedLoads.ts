/** The loads of a replica: two at a time, together no larger than one batch may be, and completed in their order. */

/** Loads in progress at a time. */
const maxLoads = 2

/** Loads in progress, which are completed in the order in which they begin. After one has failed, none begins. */
export class OrderedLoads {
  readonly #maxBytes: number
  /** In order: whether each succeeds. */
  readonly #loads: Promise<boolean>[] = []
  #bytes = 0
  #failure: unknown

  /** @param maxBytes of two loads together. A single one may have more */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The bytes that are being loaded. */
  get bytes(): number {
    return this.#bytes
  }

  /** @throws whatever made a load fail */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Waits until a further load may begin. @throws whatever made a load fail */
  async untilRoomFor(bytes: number): Promise<void> {
    const loads = this.#loads
    while (loads.length >= maxLoads || (loads.length > 0 && this.#bytes + bytes > this.#maxBytes)) await loads[0]
    this.throwIfFailed()
  }

  /** @param work gets what resolves when the loads before are complete, and rejects if one has failed */
  begin(bytes: number, work: (turn: () => Promise<void>) => Promise<void>): void {
    this.#bytes += bytes
    const before = this.#loads.at(-1)
    const turn = async () => {
      if ((await before) === false) throw this.#failure
    }
    const load: Promise<boolean> = work(turn)
      .then(
        () => true,
        (error: unknown) => {
          this.#failure ??= error
          return false
        },
      )
      .finally(() => {
        this.#bytes -= bytes
        this.#loads.splice(this.#loads.indexOf(load), 1)
      })
    this.#loads.push(load)
  }

  /** Waits for the loads in progress. @throws whatever made one fail */
  async settled(): Promise<void> {
    await this.ended()
    this.throwIfFailed()
  }

  /** Waits for the loads in progress, whether they succeed or not. */
  async ended(): Promise<void> {
    await Promise.all(this.#loads)
  }
}
