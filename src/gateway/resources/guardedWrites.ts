/**
 * Writes of records, one at a time for each record. A write that names the revision it started from is compared with
 * what is stored right before it is sent: deployments have no versions, so this is the only guard against overwriting
 * somebody else, and it reaches as far as this gateway. Other consoles and programs do not hold its locks.
 */
import type { Answer } from '../upstream/upstreamReply.ts'
import type { Deployments, Operation } from '../upstream/deployments.ts'
import { failure } from '../http/errors.ts'
import { Locks } from './recordLocks.ts'
import { masked } from './masks.ts'
import { readRecord, recordName, type RecordPlace } from './records.ts'
import type { Revisions } from './revisions.ts'
import type { Target } from '../upstream/upstreamTarget.ts'

export interface GuardedWrite {
  place: RecordPlace | null
  /** The revision that the write starts from; undefined where it does not depend on what is stored. */
  base?: string | undefined
  /** Whether the body is made with what is stored. */
  needsCurrent: boolean
  /** What is sent. `current` is the record as it is stored, where it was read. */
  operation: (current: unknown) => Operation
}

export class GuardedWrites {
  private readonly locks = new Locks()

  constructor(
    private readonly deployments: Deployments,
    private readonly revisions: Revisions,
  ) {}

  /** Throws conflict, with what is stored now, where that is not what the write started from: nothing is sent then. */
  async write(target: Target, { place, base, needsCurrent, operation }: GuardedWrite): Promise<Answer> {
    if (!place) return this.deployments.write(target, operation(undefined))
    return this.locks.hold(recordName(target, place), async () => {
      const isRead = base !== undefined || needsCurrent
      const current = isRead ? await readRecord(this.deployments, target, place) : undefined
      if (base !== undefined) this.compare(place, base, current)
      return this.deployments.write(target, operation(current))
    })
  }

  private compare({ reader }: RecordPlace, base: string, current: unknown): void {
    const revision = this.revisions.of(reader.record, current)
    if (revision === base) return
    throw failure('conflict', 'It was changed after it was read here. Nothing was written.', {
      current: { result: masked(reader, current), revision },
    })
  }
}
