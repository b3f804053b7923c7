/**
 * Writes of records, one at a time for each record. The revision that a write starts from is compared with the stored
 * record right before the write is sent. Deployments have no versions, so this is the only guard against overwriting
 * changes of others. It works between the consoles of one database: other programs do not hold their locks.
 */
import type { UpstreamResult } from '#node/upstream/upstreamReply.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { Operation } from '#node/upstream/operation.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { masked } from '#node/upstream/masks.ts'
import { readRecord, recordName, type RecordLocation } from '#node/upstream/records.ts'
import type { SharedLocks } from '../cluster/sharedLocks.ts'
import { isSameRevision, type Revisions } from './recordRevisions.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'

export interface GuardedWrite {
  location: RecordLocation | null
  /** The revision that the write starts from; undefined if it does not depend on the stored record. */
  base?: string | undefined
  /** Whether the body is created from the stored record. */
  needsCurrent: boolean
  /** The request. `current` is the stored record, if it was read. */
  operation: (current: unknown) => Operation
}

export class GuardedWrites {
  readonly #deployments: Deployments
  readonly #revisions: Revisions
  readonly #locks: SharedLocks

  constructor(deployments: Deployments, revisions: Revisions, locks: SharedLocks) {
    this.#deployments = deployments
    this.#revisions = revisions
    this.#locks = locks
  }

  /** @throws conflict with the stored record if that is not what the write started from: nothing is sent */
  async write(
    target: UpstreamTarget,
    { location, base, needsCurrent, operation }: GuardedWrite,
  ): Promise<UpstreamResult> {
    if (!location) return this.#deployments.write(target, operation(undefined))
    return this.#locks.hold(recordName(target, location), async () => {
      const isRead = base !== undefined || needsCurrent
      const current = isRead ? await readRecord(this.#deployments, target, location) : undefined
      const sent = operation(current)
      if (base !== undefined) this.#compare(location, base, current, sent.endpoint.operates)
      return this.#deployments.write(target, sent)
    })
  }

  /**
   * All of a write but the sending, for one that has to wait.
   * @returns the request, and the stored record if it changes one
   * @throws conflict like `write`, and notFound for a record that is gone
   */
  async prepare(
    target: UpstreamTarget,
    { location, base, operation }: GuardedWrite,
  ): Promise<{ operation: Operation; current: unknown }> {
    if (!location) return { operation: operation(undefined), current: undefined }
    const current = await readRecord(this.#deployments, target, location)
    const prepared = operation(current)
    if (base !== undefined) this.#compare(location, base, current, prepared.endpoint.operates)
    return { operation: prepared, current }
  }

  /** Keeps other writes of a record away during a task, which sends with `deployments`. */
  hold<T>(target: UpstreamTarget, location: RecordLocation, task: () => Promise<T>): Promise<T> {
    return this.#locks.hold(recordName(target, location), task)
  }

  #compare({ reader }: RecordLocation, base: string, current: unknown, operates: boolean): void {
    const revision = this.#revisions.of(reader.record, current)
    if (isSameRevision(revision, base, operates ? 'operated' : 'saved')) return
    throw failure('conflict', 'Somebody else changed this record after you opened it. Nothing was saved.', {
      current: { result: masked(reader, current), revision },
    })
  }
}
