/** Places for work that goes on at the same time. Work that takes long leaves its place to the next one, so that it delays no other. */
export class Places {
  private readonly waiting: (() => void)[] = []
  private taken = 0

  /**
   * @param count of them
   * @param slow milliseconds after which work no longer counts
   */
  constructor(
    private readonly count: number,
    private readonly slow: number,
  ) {}

  /** Waits for a place, in the order of the calls, and does the work in it. */
  async take(work: () => Promise<void>): Promise<void> {
    if (this.taken < this.count) this.taken += 1
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    let isLeft = false
    const leave = () => {
      if (isLeft) return
      isLeft = true
      clearTimeout(timer)
      const next = this.waiting.shift()
      if (next) next()
      else this.taken -= 1
    }
    const timer = setTimeout(leave, this.slow)
    await work().finally(leave)
  }
}
