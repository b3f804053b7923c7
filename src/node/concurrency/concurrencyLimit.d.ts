/** Limits how much work goes on at the same time. Work that takes long leaves its place to the next one, so that it delays no other. */
export declare class ConcurrencyLimit {
  private readonly count
  private readonly slow
  private readonly waiting
  private taken
  /**
   * @param count work at the same time
   * @param slow milliseconds after which work no longer counts
   */
  constructor(count: number, slow: number)
  /** Does the work once there is a place, in the order of the calls. */
  run(work: () => Promise<void>): Promise<void>
}
