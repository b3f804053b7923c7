/** The last pass of the evaluation of alerts. All stacks on one database share it. */
import type { Queries } from '../store/store.ts'

export interface AlertPass {
  /** The minute that it evaluated, epoch milliseconds. */
  due: number
  /** When it ended. */
  ended: number
}

/** `alert_passes` has one row. */
const name = 'last'

export async function lastPass(queries: Queries): Promise<AlertPass | null> {
  const [row] = await queries.rows('SELECT due, ended FROM alert_passes WHERE name = ?', [name])
  return row ? { due: Number(row['due']), ended: Number(row['ended']) } : null
}

export async function writeLastPass(queries: Queries, { due, ended }: AlertPass): Promise<void> {
  await queries.run(
    `INSERT INTO alert_passes (name, due, ended) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET due = excluded.due, ended = excluded.ended`,
    [name, due, ended],
  )
}
