/** Which records of several connections are the same one, as people have said. Stored in `environments.json`. */
import { join } from 'node:path'
import { z } from 'zod'
import { comparedKinds, type MatchInput } from '#contract/environments.ts'
import { pathId } from '#contract/kernel.ts'
import { StateFile } from '#node/stateFile.ts'

const match = z.object({
  kind: z.enum(comparedKinds),
  name: z.string(),
  /** At most one of each connection. */
  records: z.array(z.object({ connectionId: pathId, id: pathId })),
})
export type Match = z.infer<typeof match>
const state = z.object({ matches: z.array(match) })

type Placed = Match['records'][number]

export class Matches {
  private readonly file: StateFile<typeof state>
  private matches: Match[]

  constructor(dataDir: string) {
    this.file = new StateFile(join(dataDir, 'environments.json'), state)
    this.matches = this.file.read()?.matches ?? []
  }

  all(): readonly Match[] {
    return this.matches
  }

  /** From now on, both are one. What either was matched with before stays with them, but for records of the same connections. */
  set({ kind, name, records }: MatchInput): void {
    const touched = this.matches.filter((one) => one.kind === kind && records.some((record) => has(one, record)))
    const others = this.matches.filter((one) => !touched.includes(one))
    const byConnection = new Map(
      [...touched.flatMap((one) => one.records), ...records].map((record) => [record.connectionId, record]),
    )
    this.store([...others, { kind, name, records: [...byConnection.values()] }])
  }

  /** The record is matched by its own name again. */
  remove(kind: Match['kind'], record: Placed): void {
    this.store(
      this.matches.flatMap((one) => {
        if (one.kind !== kind || !has(one, record)) return [one]
        const rest = one.records.filter((other) => !isSame(other, record))
        return rest.length > 1 ? [{ ...one, records: rest }] : []
      }),
    )
  }

  /** Forgets connections that no longer exist. */
  keepOnly(connectionIds: ReadonlySet<string>): void {
    const kept = this.matches.flatMap((one) => {
      const records = one.records.filter(({ connectionId }) => connectionIds.has(connectionId))
      return records.length > 1 ? [{ ...one, records }] : []
    })
    if (JSON.stringify(kept) !== JSON.stringify(this.matches)) this.store(kept)
  }

  /** Writes to the disk first, so that memory never holds what could not be stored. */
  private store(matches: Match[]): void {
    this.file.write({ matches })
    this.matches = matches
  }
}

const has = ({ records }: Match, record: Placed) => records.some((one) => isSame(one, record))
const isSame = (a: Placed, b: Placed) => a.connectionId === b.connectionId && a.id === b.id
