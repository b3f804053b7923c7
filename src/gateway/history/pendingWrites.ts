/** Completes writes that a killed process left in the journal: what is stored at the deployment tells their outcome. */
import { endpoints } from '#contract/index.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { readBackLocation, verdictOf } from '#node/upstream/readBack.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Connections } from '../connections/connections.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import type { ChangeStore } from './changeStore.ts'
import { pendingContext, type History, type PendingWrite } from './history.ts'

/** Milliseconds until a deployment that cannot be reached is asked again. */
const retryAfter = 60_000

interface Parts {
  connections: Connections
  deployments: Deployments
  store: ChangeStore
  sealed: SealedJson
  history: History
  onError: (error: unknown) => void
}

export class PendingWrites {
  private timer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(private readonly parts: Parts) {}

  /** Completes what can be completed now, and the rest later. */
  async settle(): Promise<void> {
    const { connections, store, sealed, onError } = this.parts
    let isLeft = false
    for (const { seq, connectionId, bytes } of await store.pending()) {
      if (this.isClosed) return
      // What `History` sealed.
      const write = sealed.open(pendingContext, bytes) as PendingWrite
      if (Number(write.startedAt) > this.startedAt) continue
      try {
        await this.settleOne(seq, connections.open(connectionId), write)
      } catch (error) {
        isLeft = true
        if (!(error instanceof ApiFailure)) onError(error)
      }
    }
    if (!isLeft || this.isClosed) return
    this.timer = setTimeout(() => void this.settle().catch(onError), retryAfter)
    this.timer.unref()
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
  }

  /** Writes of this process are not pending for it. */
  private readonly startedAt = Date.now()

  private async settleOne(seq: number, target: UpstreamTarget, write: PendingWrite): Promise<void> {
    const { deployments, history } = this.parts
    const endpoint = endpoints.find(({ resource, verb }) => resource === write.resource && verb === write.verb)
    const location = endpoint && readBackLocation(endpoint, write.path)
    if (!endpoint || !location) return history.complete(seq, target, write, 'unknown')
    const reading = { ...location, priority: 'background', fresh: true } as const
    const seen = await (
      location.endpoint.paged ? deployments.readAll(target, reading) : deployments.read(target, reading)
    ).catch((error: unknown) => {
      if (error instanceof ApiFailure && error.error.code === 'notFound') return error
      throw error
    })
    const verdict = verdictOf({ endpoint, body: write.body, startedAt: Number(write.startedAt) }, seen)
    const outcomes = { applied: 'done', notApplied: 'refused', unknown: 'unknown' } as const
    await history.complete(seq, target, write, outcomes[verdict])
  }
}
