/** The stored progress of a pipe: named cursors in `pipe_cursors`. */
import type { Queries } from '../../store/store.ts'

export interface Cursors {
  get(queries: Queries, name: string): Promise<string | null>
  /** All cursors with this prefix, by the rest of their names. */
  below(queries: Queries, prefix: string): Promise<Map<string, string>>
  set(queries: Queries, name: string, cursor: string): Promise<void>
  remove(queries: Queries, name: string): Promise<void>
  removeBelow(queries: Queries, prefix: string): Promise<void>
}

export function cursorsOf(pipeId: string): Cursors {
  const below = 'pipe_id = ? AND substr(source, 1, ?) = ?'
  return {
    async get(queries, name) {
      const [row] = await queries.rows('SELECT cursor FROM pipe_cursors WHERE pipe_id = ? AND source = ?', [
        pipeId,
        name,
      ])
      return row ? String(row['cursor']) : null
    },
    async below(queries, prefix) {
      const rows = await queries.rows(`SELECT source, cursor FROM pipe_cursors WHERE ${below}`, [
        pipeId,
        prefix.length,
        prefix,
      ])
      return new Map(rows.map((row) => [String(row['source']).slice(prefix.length), String(row['cursor'])]))
    },
    async set(queries, name, cursor) {
      await queries.run(
        'INSERT INTO pipe_cursors (pipe_id, source, cursor) VALUES (?, ?, ?) ON CONFLICT (pipe_id, source) DO UPDATE SET cursor = excluded.cursor',
        [pipeId, name, cursor],
      )
    },
    async remove(queries, name) {
      await queries.run('DELETE FROM pipe_cursors WHERE pipe_id = ? AND source = ?', [pipeId, name])
    },
    async removeBelow(queries, prefix) {
      await queries.run(`DELETE FROM pipe_cursors WHERE ${below}`, [pipeId, prefix.length, prefix])
    },
  }
}
