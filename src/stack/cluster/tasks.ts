/**
 * Tasks that one stack does at a time, of several on a database: each data pipe, what belongs to services, the sample. A
 * stack has the lease of a task until it releases it, or until it has ended. Each transaction of a task checks its lease,
 * so a stack that stalled and was replaced stores nothing; and before it sends a statement to the engine, it asks whether
 * others may have taken it for ended.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queries, Store } from '../store/store.ts'
import type { Presence } from './presence.ts'

/** Another stack does the task now. */
export class TaskLost extends Error {
  override readonly name = 'TaskLost'
}

export interface TaskLease {
  /** False once other stacks may do the task. */
  isHeld(): boolean
  /** Asked right before anything is sent that no transaction can take back. @throws TaskLost */
  refuseIfLost(): void
  /** The store, with writes that are refused once the lease is lost. */
  store: Store
  /** Gives it back. A failure is none for the caller. */
  release(): Promise<void>
}

export interface Tasks {
  /** @returns null while it is done: by another stack, or by another part of this one */
  take(task: string): Promise<TaskLease | null>
  /** Takes the lease once it is released. Whoever still has it after `maxWait` milliseconds loses it. */
  takeOver(task: string, maxWait: number): Promise<TaskLease>
  /** The tasks that are done by any stack. */
  taken(): Promise<ReadonlySet<string>>
}

const pollIntervalMs = 100

/** @param presence of this stack */
export function sharedTasks(store: Store, presence: Presence): Tasks {
  /** Tasks of this stack's parts. */
  const own = new Set<string>()

  async function take(task: string): Promise<TaskLease | null> {
    if (own.has(task)) return null
    own.add(task)
    try {
      const { losses } = presence
      const taken = await store.run(
        `INSERT INTO task_leases (task, stack_id) SELECT ?1, id FROM stacks WHERE id = ?2
         ON CONFLICT (task) DO UPDATE SET stack_id = excluded.stack_id
         WHERE task_leases.stack_id = excluded.stack_id OR task_leases.stack_id NOT IN (SELECT id FROM stacks)`,
        [task, presence.id],
      )
      if (taken > 0) return leaseOf(task, losses)
      own.delete(task)
      return null
    } catch (error) {
      own.delete(task)
      throw error
    }
  }

  function leaseOf(task: string, losses: number): TaskLease {
    const isHeld = () => presence.losses === losses && presence.isCertain
    const refuseIfLost = () => {
      if (!isHeld()) throw new TaskLost('another stack may do this now')
    }
    const check = async ({ rows }: Queries) => {
      const found = await rows('SELECT 1 FROM task_leases WHERE task = ? AND stack_id = ?', [task, presence.id])
      if (presence.losses !== losses || found.length === 0) throw new TaskLost('another stack does this now')
    }
    const write: Store['write'] = (work) =>
      store.write(async (transaction) => {
        await check(transaction)
        return work(transaction)
      })
    return {
      isHeld,
      refuseIfLost,
      store: { ...store, write, run: (sql, args) => write((transaction) => transaction.run(sql, args)) },
      async release() {
        // A lease that cannot be given back is this stack's to take again, and others have it when this one has ended.
        await store
          .run('DELETE FROM task_leases WHERE task = ? AND stack_id = ?', [task, presence.id])
          .catch(() => undefined)
        own.delete(task)
      },
    }
  }

  return {
    take,
    async takeOver(task, maxWait) {
      const until = performance.now() + maxWait
      for (;;) {
        const lease = await take(task)
        if (lease) return lease
        if (performance.now() > until) await store.run('DELETE FROM task_leases WHERE task = ?', [task])
        await sleep(pollIntervalMs)
      }
    },
    async taken() {
      const rows = await store.rows('SELECT task FROM task_leases WHERE stack_id IN (SELECT id FROM stacks)')
      return new Set(rows.map((row) => String(row['task'])))
    },
  }
}
