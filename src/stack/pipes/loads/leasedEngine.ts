/**
 * The engine for the stack that has the lease of a pipe: no statement that changes anything is sent once it may be lost, and what
 * is read is what was stored before.
 */
import type { TaskLease } from '../../cluster/tasks.ts'
import type { LoadEngine } from './loads.ts'

export function leasedEngine(engine: LoadEngine, { refuseIfLost }: Pick<TaskLease, 'refuseIfLost'>): LoadEngine {
  return {
    ...engine,
    query: (sql, options) => engine.query(sql, { ...options, sequential: true }),
    async insert(table, rows) {
      refuseIfLost()
      await engine.insert(table, rows)
    },
    async command(sql, options) {
      refuseIfLost()
      await engine.command(sql, options)
    },
    async load(sql, options) {
      refuseIfLost()
      await engine.load(sql, options)
    },
    async loadRows(rows, statement, options) {
      refuseIfLost()
      return engine.loadRows(rows, statement, options)
    },
  }
}
