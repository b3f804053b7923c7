/** Which records of several connections are the same one, as people have said. Consoles that share a database share them. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import type { MatchInput } from '#contract/console/environments.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { pathId } from '#contract/wire/kernel.ts'
import type { Database } from '../database/database.ts'
import { takeOverFile } from '../database/formerFiles.ts'
import { SharedList } from '../database/sharedList.ts'

const match = z.object({
  kind: z.enum(recordKinds),
  name: z.string(),
  /** At most one of each connection, and each in one match only. */
  records: z.array(z.object({ connectionId: pathId, id: pathId })),
})
export type Match = z.infer<typeof match>
const storedMatch = match.extend({ id: z.string() })
type StoredMatch = z.infer<typeof storedMatch>

const former = z.object({ matches: z.array(match) })

type Placed = Match['records'][number]

export class Matches {
  readonly #stored: SharedList<StoredMatch>

  private constructor(stored: SharedList<StoredMatch>) {
    this.#stored = stored
  }

  /** Takes over `environments.json` of earlier versions. @throws UnusableState if it is damaged */
  static async open(database: Pick<Database, 'rows' | 'transact' | 'damaged'>, dataDir: string): Promise<Matches> {
    const list = await SharedList.open({ database, table: 'record_matches', schema: storedMatch })
    await takeOverFile(join(dataDir, 'environments.json'), former, ({ matches }) =>
      list.change((stored) => {
        const isMatched = ({ kind, records }: Match) =>
          stored.some((other) => other.kind === kind && records.some((record) => has(other, record)))
        return [...stored, ...matches.filter((entered) => !isMatched(entered)).map(withId)]
      }),
    )
    return new Matches(list)
  }

  all(): readonly Match[] {
    return this.#stored.all()
  }

  /** Changes with every match. */
  get revision(): number {
    return this.#stored.revision
  }

  /** Follows what other consoles have changed, like `SharedList.refresh`. */
  async refresh(seen?: ReadonlyMap<string, number>): Promise<void> {
    await this.#stored.refresh(seen)
  }

  /** From now on, both are one. What either was matched with before stays with them, but for records of the same connections. */
  async set({ kind, name, records }: MatchInput): Promise<void> {
    await this.#stored.change((matches) => {
      const touched = matches.filter((other) => other.kind === kind && records.some((record) => has(other, record)))
      const others = matches.filter((stored) => !touched.includes(stored))
      const byConnection = new Map(
        [...touched.flatMap(({ records }) => records), ...records].map((record) => [record.connectionId, record]),
      )
      return [...others, withId({ kind, name, records: [...byConnection.values()] })]
    })
  }

  /** The record is matched by its own name again. */
  async remove(kind: Match['kind'], record: Placed): Promise<void> {
    await this.#stored.change((matches) =>
      matches.flatMap((match) => {
        if (match.kind !== kind || !has(match, record)) return [match]
        return cut(match, (other) => !isSameRecord(other, record))
      }),
    )
  }

  /** Forgets connections that no longer exist. */
  async keepOnly(exists: (connectionId: string) => boolean): Promise<void> {
    await this.#stored.change((matches) =>
      matches.flatMap((stored) => cut(stored, ({ connectionId }) => exists(connectionId))),
    )
  }
}

/** A match without some of its records. One record alone is no match. */
function cut(match: StoredMatch, isKept: (record: Placed) => boolean): StoredMatch[] {
  const records = match.records.filter(isKept)
  if (records.length === match.records.length) return [match]
  return records.length > 1 ? [{ ...match, records }] : []
}

const withId = (match: Match): StoredMatch => ({ ...match, id: randomBytes(8).toString('hex') })
const has = ({ records }: Match, record: Placed) => records.some((other) => isSameRecord(other, record))
const isSameRecord = (a: Placed, b: Placed) => a.connectionId === b.connectionId && a.id === b.id
