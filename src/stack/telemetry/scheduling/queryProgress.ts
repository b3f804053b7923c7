/** How far the queries are that somebody waits for. */
import type { Engine } from '../engine/engine.ts'

/** A statement that somebody waits for. */
export interface TrackedStatement {
  mark: string
  /** Rows that it will read, by its estimate. */
  rows: number
  state: 'waiting' | 'running' | 'done'
}

/** A type alias, because an interface does not fit the loose schema of the contract. */
export type QueryProgress = {
  id: string
  state: 'waiting' | 'running'
  rowsRead: number
  rowsTotal: number
}

export class ProgressBoard {
  readonly #engine: Pick<Engine, 'progressOf'>
  /** By the name of the request: its statements, and for how many of them it still waits. */
  readonly #requests = new Map<string, { statements: Set<TrackedStatement>; open: number }>()

  constructor(engine: Pick<Engine, 'progressOf'>) {
    this.#engine = engine
  }

  /** @returns a function that is called when the request no longer waits for the statement */
  add(name: string, statement: TrackedStatement): () => void {
    const request = this.#requests.get(name) ?? { statements: new Set(), open: 0 }
    this.#requests.set(name, request)
    request.statements.add(statement)
    request.open++
    return () => {
      request.open--
      // A finished statement counts as read until the whole request is done.
      if (request.open === 0) this.#requests.delete(name)
    }
  }

  /** The progress of the requests that wait or run. @param nameOf the name of a request by its ID */
  async of(ids: readonly string[], nameOf: (id: string) => string): Promise<QueryProgress[]> {
    const found = ids.flatMap((id) => {
      const request = this.#requests.get(nameOf(id))
      return request ? [{ id, statements: [...request.statements] }] : []
    })
    const running = found.flatMap(({ statements }) => statements.filter(({ state }) => state === 'running'))
    const seen = await this.#engine.progressOf([...new Set(running.map(({ mark }) => mark))])
    const byMark = new Map(seen.map((progress) => [progress.mark, progress]))
    return found.map(({ id, statements }) => {
      const parts = statements.map(({ mark, rows, state }) => {
        const rowsRead = state === 'done' ? rows : (byMark.get(mark)?.rowsRead ?? 0)
        return { rowsRead, rowsTotal: Math.max(rows, rowsRead, byMark.get(mark)?.rowsTotal ?? 0) }
      })
      return {
        id,
        state: statements.some(({ state }) => state !== 'waiting') ? 'running' : 'waiting',
        rowsRead: parts.reduce((sum, part) => sum + part.rowsRead, 0),
        rowsTotal: parts.reduce((sum, part) => sum + part.rowsTotal, 0),
      }
    })
  }
}
