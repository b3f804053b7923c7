/**
 * Reads all records of a connection in the background, every few minutes, so that changes by Terraform or the vendor's own UI
 * are noticed although nobody looks. What is read reaches the journal like every read.
 */
import { api } from '#contract/index.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { readInventory } from '#node/upstream/readInventory.ts'
import { upstreamPath } from '#node/upstream/upstreamPath.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Connections } from '../connections/connections.ts'
import { type Duties, Periodic } from '../cluster/backgroundWork.ts'
import type { Presence } from '../cluster/presence.ts'

/** Minutes between two snapshots, where nobody chose otherwise. */
const defaultMinutes = 15
const tick = 60_000

interface SnapshotDependencies {
  connections: Connections
  deployments: Deployments
  presence: Presence
  duties: Duties
  onError: (error: unknown) => void
}

export class Snapshots {
  readonly #checks: Periodic
  readonly #ending = new AbortController()
  readonly #dependencies: SnapshotDependencies

  constructor(dependencies: SnapshotDependencies) {
    this.#dependencies = dependencies
    const { presence, onError } = dependencies
    this.#checks = new Periodic({ presence, every: tick, work: () => this.#takeDue(), onError })
  }

  async minutesOf(connectionId: string): Promise<number> {
    const sql = 'SELECT minutes FROM snapshot_settings WHERE connection_id = ?'
    const [row] = await this.#dependencies.presence.ownWrites.rows(sql, [connectionId])
    return row ? Number(row['minutes']) : defaultMinutes
  }

  async setMinutes(connectionId: string, minutes: number): Promise<void> {
    await this.#dependencies.presence.ownWrites.write({
      sql: `INSERT INTO snapshot_settings (connection_id, minutes) VALUES (?, ?)
        ON CONFLICT (connection_id) DO UPDATE SET minutes = excluded.minutes`,
      args: [connectionId, minutes],
    })
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await this.#checks.close()
  }

  /** Reads one connection now. Lists that cannot be read are left out. */
  async take(target: UpstreamTarget, signal?: AbortSignal): Promise<void> {
    const reading = { priority: 'background', signal } as const
    await readInventory(this.#dependencies.deployments, target, reading)
    if (target.variant !== 'managed') return
    const { serviceId = '' } = target
    for (const endpoint of [api.services.list, api.pipes.list]) {
      const path = upstreamPath(endpoint, target, { serviceId })
      const operation = { endpoint, path, params: { serviceId }, ...reading }
      await this.#dependencies.deployments.read(target, operation).catch((error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error
      })
    }
  }

  /**
   * One connection after another, so that background requests are few at any time. Each is read by one console, whichever
   * comes first.
   */
  async #takeDue(): Promise<void> {
    const { connections, duties, presence } = this.#dependencies
    for (const { id } of connections.list()) {
      if (this.#ending.signal.aborted || !presence.isSure) return
      const minutes = await this.minutesOf(id)
      if (minutes > 0) await duties.perform(`snapshot of ${id}`, minutes * tick, () => this.#takeOrSkip(id))
    }
  }

  async #takeOrSkip(id: string): Promise<void> {
    try {
      await this.take(this.#dependencies.connections.open(id), this.#ending.signal)
    } catch (error) {
      // A connection that cannot be opened or read is tried again at its next turn.
      if (!(error instanceof ApiFailure) && !this.#ending.signal.aborted) this.#dependencies.onError(error)
    }
  }
}
