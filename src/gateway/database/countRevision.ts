/** The table of revisions: how often each thing was changed that consoles hold in memory. */
import type { Statements } from '#node/database/statements.ts'

/** Counts a change. Part of the transaction that makes it, or right after it. @returns the new revision */
export async function countRevision({ rows }: Statements, name: string): Promise<number> {
  const [row] = await rows(
    `INSERT INTO list_revisions (name, revision) VALUES (?, 1)
      ON CONFLICT (name) DO UPDATE SET revision = list_revisions.revision + 1 RETURNING revision`,
    [name],
  )
  return Number(row?.['revision'])
}
