/** Tasks that run one after another. */
export declare class TaskQueue {
  private readonly max
  private readonly tooMany
  private last
  private count
  /**
   * @param max tasks that are under way or wait. Default: any number
   * @param tooMany the error of further ones
   */
  constructor(max?: number, tooMany?: () => Error)
  /** Does a task once all earlier ones have ended. */
  run<Result>(task: () => Promise<Result>): Promise<Result>
  /** Waits for the tasks that were given so far. */
  ended(): Promise<void>
}
