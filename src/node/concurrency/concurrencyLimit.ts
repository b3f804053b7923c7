/** Limits how much work goes on at the same time. Work that takes long leaves its place to the next one, so that it delays no other. */
export class ConcurrencyLimit {
  private readonly waiting: (() => void)[] = []
  private taken = 0

  /**
   * @param count work at the same time
   * @param slow milliseconds after which work no longer counts
   */
  constructor(
    private readonly count: number,
    private readonly slow: number,
  ) {}

  /** Does the work once there is a place, in the order of the calls. */
  async run(work: () => Promise<void>): Promise<void> {
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
