/** Tasks that run one after another. */
export class TaskQueue {
  private last: Promise<unknown> = Promise.resolve()
  private count = 0

  /**
   * @param max tasks that are under way or wait. Default: any number
   * @param tooMany the error of further ones
   */
  constructor(
    private readonly max = Infinity,
    private readonly tooMany = () => new Error('Too many tasks are waiting.'),
  ) {}

  /** Does a task once all earlier ones have ended. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.count >= this.max) throw this.tooMany()
    this.count++
    const result = this.last.then(task).finally(() => this.count--)
    this.last = result.catch(() => undefined)
    return result
  }

  /** Waits for the tasks that were given so far. */
  async ended(): Promise<void> {
    await this.last
  }
}
