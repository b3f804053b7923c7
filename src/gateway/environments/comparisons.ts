/**
 * Compares connections with a baseline, each on its own, so that a slow one delays only itself.
 *
 * The records of a connection stay in memory for a minute, or until something is written through it. Both sides are brought
 * to the same form (`domain/records/comparable.ts`). A digest of that form decides whether two records are equal; single
 * fields are compared only where digests differ, in slices of 8 ms. Records are paired by the matches that people have made
 * (`matches.ts`), then by the copies that promotions have made, then by name. What could not be read is unknown, and so is
 * a record that refers to it.
 */
import type {
  Comparison,
  ComparedRecordView,
  FieldComparisonView,
  fieldsQuery,
  MatchInput,
} from '#contract/console/environments.ts'
import type { z } from 'zod'
import { compareFields, compareSides, type ComparedRecord, type ComparedSide } from '#domain/records/compare.ts'
import { formatFieldPath } from '#domain/records/fieldPath.ts'
import { isUnread } from '#domain/records/inventory.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { maskedField } from '../resources/maskedField.ts'
import type { LinkStore } from '../changes/runs/linkStore.ts'
import { inventoryKeptFor, type Inventories, type KnownInventory, type Reading } from '../inventories/inventories.ts'
import { runInTimeSlices } from '#node/concurrency/timeSlices.ts'
import type { Match, Matches } from './matches.ts'
import { sharedNames } from './sharedNames.ts'

/** Changed fields that are shown of one record. */
const maxChanges = 200

interface ComparisonDependencies {
  inventories: Inventories
  matches: Matches
  links: LinkStore
}

interface Prepared {
  baseline: ComparedSide
  side: ComparedSide
  known: KnownInventory
}

/** Records that were read are used as long as they are kept. */
const fromMemory: Reading = { maxAge: inventoryKeptFor, priority: 'background' }

const noNames: ReadonlyMap<string, string> = new Map()

/** Whether whoever compares sees a connection. */
export type IsSeen = (connectionId: string) => boolean

/** Matches with the records that the caller may see. A match is left out unless two of its records are among them. */
function seenMatches(matches: readonly Match[], isSeen: IsSeen): Match[] {
  return matches.flatMap((match) => {
    const records = match.records.filter(({ connectionId }) => isSeen(connectionId))
    return records.length > 1 ? [{ ...match, records }] : []
  })
}

export class Comparisons {
  readonly #dependencies: ComparisonDependencies

  constructor(dependencies: ComparisonDependencies) {
    this.#dependencies = dependencies
  }

  /** @throws ApiFailure if either connection does not exist, or its key cannot be decrypted */
  compare(connectionId: string, baselineId: string, isSeen: IsSeen): Promise<Comparison> {
    return this.#compareRead(connectionId, baselineId, isSeen, {})
  }

  /**
   * Compares two connections by the records that are in memory.
   * @throws ApiFailure if either connection does not exist, or its key cannot be decrypted
   */
  compareKnown(connectionId: string, baselineId: string, isSeen: IsSeen): Promise<Comparison> {
    return this.#compareRead(connectionId, baselineId, isSeen, fromMemory)
  }

  async #compareRead(connectionId: string, baselineId: string, isSeen: IsSeen, reading: Reading): Promise<Comparison> {
    const { baseline, side, known } = await this.#prepare(connectionId, baselineId, isSeen, reading)
    const rows = await runInTimeSlices(compareSides(baseline, side))
    return {
      connectionId,
      baseline: baselineId,
      readAt: known.readAt,
      // The entries are those of `recordKinds`.
      kinds: Object.fromEntries(
        recordKinds.map((kind) => {
          const records = known.inventory.records[kind]
          return [kind, isUnread(records) ? { state: records.state, reason: records.reason } : null]
        }),
      ) as Comparison['kinds'],
      rows: rows.map((row) => this.#viewOf(row, connectionId, side)),
    }
  }

  /**
   * How many records differ, by what is in memory.
   * @throws ApiFailure if either connection does not exist, or its key cannot be decrypted
   */
  async drift(connectionId: string, baselineId: string, isSeen: IsSeen) {
    const { baseline, side } = await this.#prepare(connectionId, baselineId, isSeen, fromMemory)
    const rows = await runInTimeSlices(compareSides(baseline, side))
    const different: readonly string[] = ['differs', 'missing', 'onlyHere']
    return {
      differences: rows.filter(({ state }) => different.includes(state)).length,
      notComparable: rows.filter(({ state }) => state === 'unknown').length,
    }
  }

  /** Changes with what people have matched. */
  get matchRevision(): number {
    return this.#dependencies.matches.revision
  }

  /** @throws notFound if either side does not have the record */
  async fields(
    connectionId: string,
    query: z.output<typeof fieldsQuery>,
    isSeen: IsSeen,
  ): Promise<FieldComparisonView> {
    const { baseline, side } = await this.#prepare(connectionId, query.baseline, isSeen)
    const compared = compareFields(baseline, side, query.kind, query.name)
    if (!compared) throw failure('notFound', 'One of the connections does not have this record any more.')
    const { changes, same, notCounted, reason } = compared
    return {
      changes: changes.slice(0, maxChanges).map(({ path, before, after }) => ({
        field: formatFieldPath(path),
        before: maskedField(query.kind, path, before),
        after: maskedField(query.kind, path, after),
      })),
      changeCount: changes.length,
      same,
      notCounted,
      ...(reason !== undefined && { reason }),
    }
  }

  /** @throws invalid if one of the records is not there, or both are on the same connection */
  async refuseUnknown({ kind, records }: MatchInput): Promise<void> {
    const [one, other] = records
    if (one.connectionId === other.connectionId) throw failure('invalid', 'Choose records of two connections.')
    for (const { connectionId, id } of records) {
      const { inventory } = await this.#dependencies.inventories.read(connectionId)
      const listed = inventory.records[kind]
      if (isUnread(listed) || !listed.some((record) => record['id'] === id)) {
        throw failure('invalid', 'One of the records is not there any more. Read the connections again.')
      }
    }
  }

  async #prepare(connectionId: string, baselineId: string, isSeen: IsSeen, reading: Reading = {}): Promise<Prepared> {
    const { inventories, matches, links } = this.#dependencies
    const [from, to] = await Promise.all([
      inventories.read(baselineId, reading),
      inventories.read(connectionId, reading),
    ])
    const baseline = from.side(noNames)
    if (connectionId === baselineId) return { baseline, side: baseline, known: to }
    const pair = {
      baseline: { target: from.target, directory: baseline.directory },
      other: { target: to.target, directory: to.side(noNames).directory },
    }
    const names = await sharedNames(pair, seenMatches(matches.all(), isSeen), links)
    return { baseline, side: to.side(names), known: to }
  }

  #viewOf(row: ComparedRecord, connectionId: string, side: ComparedSide): ComparedRecordView {
    const { kind, id } = row
    const updatedAt = id === undefined ? undefined : side.directory.get(kind, id)?.['updatedAt']
    const byHand = this.#dependencies.matches
      .all()
      .some(
        (match) =>
          match.kind === kind && match.records.some((each) => each.connectionId === connectionId && each.id === id),
      )
    return { ...row, ...(typeof updatedAt === 'string' && { updatedAt }), ...(byHand && { byHand }) }
  }
}
