/** Receives every read and write of records that passes through `Deployments`. */
import type { Operation } from './operation.ts'
import type { UpstreamResult } from './upstreamReply.ts'
import type { UpstreamTarget } from './upstreamTarget.ts'

export interface Journal {
  /**
   * Called before a write is sent, and before anything that the write depends on is read.
   * @returns ends the entry, with the result or the error of the write; null if the write is not of a record
   * @throws notStored if the entry cannot be stored: nothing is sent
   */
  begin(
    target: UpstreamTarget,
    operation: Operation,
  ): Promise<((outcome: UpstreamResult | Error) => Promise<void>) | null>
  /**
   * Called after a successful read. Must return at once.
   * @param startedAt by `performance.now()`, before the request was sent
   * @param isComplete false for one page of a list
   */
  seen(target: UpstreamTarget, operation: Operation, result: unknown, startedAt: number, isComplete: boolean): void
}
