/** The interface that takes changes which need approval. Change requests implement it; it is separate because the code that changes deployments comes first. */
import type { HeldChange } from '#contract/wire/kernel.ts'
import type { PlanStep } from '#domain/records/plan.ts'
import type { Operation } from '#node/upstream/operation.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { type ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import type { ChangeAuthor } from './twoPersonApproval.ts'

/** A single write, ready to be sent. */
export interface HeldOperation {
  operation: Operation
  /** The stored record that it changes; undefined if it changes none. */
  current: unknown
}

/** A run that was planned. */
export interface HeldRun {
  kind: 'promotion' | 'restore' | 'undo' | 'fileImport'
  target: UpstreamTarget
  steps: readonly PlanStep[]
  /** The further details of the run, as it stores them. */
  details: Readonly<Record<string, unknown>>
}

export interface ApprovalQueue {
  holdWrite(target: UpstreamTarget, author: ChangeAuthor, held: HeldOperation): Promise<HeldChange>
  holdRun(author: ChangeAuthor, held: HeldRun): Promise<HeldChange>
}

/** The answer to a write that became a change request. */
export function sentForApproval(held: HeldChange): ApiFailure {
  return failure('sentForApproval', `Sent for approval as change request ${held.number}. Nothing was changed yet.`, {
    held,
  })
}
