/**
 * The memory of each pair of deployments: which record there is a copy of which record here, what was last written,
 * and which sources and webhooks take the place of those here. So the next promotion updates instead of doubling.
 */
import { z } from 'zod'
import { mappingChoice } from '#contract/console/runs.ts'
import type { MappingChoice } from '#domain/records/mapping.ts'
import type { Link } from '#domain/records/promotion.ts'
import type { JsonObject } from '#domain/json/json.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Database, Row, Statement } from '../../database/database.ts'
import type { SealedJson } from '../../database/sealedJson.ts'
import { StoredRows } from '../../database/storedRows.ts'

export interface Pair {
  from: string
  to: string
}

/** Identifies a deployment: a connection that is moved to another address has none of the old one's links. */
export function deploymentKey({ connectionId, baseUrl, organizationId, serviceId }: UpstreamTarget): string {
  return [connectionId, baseUrl, organizationId, serviceId].filter((part) => part !== undefined).join(' ')
}

const linkRow = z.object({ record: z.string(), base: z.instanceof(ArrayBuffer).nullable() })
const copyRow = z.object({ record: z.string(), id: z.string() })
const mappingRow = z.object({ reference: z.string(), choice: z.string() })

export class LinkStore {
  readonly #storedLinks: StoredRows
  readonly #storedMappings: StoredRows
  readonly #database: Database
  readonly #sealed: SealedJson

  constructor(database: Database, sealed: SealedJson) {
    this.#database = database
    this.#sealed = sealed
    this.#storedLinks = new StoredRows(database, 'links')
    this.#storedMappings = new StoredRows(database, 'mappings')
  }

  /**
   * The copies of records, by `recordKey` of the side that is copied from. A link whose stored content is damaged has no `base`:
   * left out, the next promotion would create a second copy.
   */
  async links({ from, to }: Pair): Promise<Map<string, Link>> {
    const sql =
      'SELECT from_deployment, to_deployment, record, id, base FROM links WHERE from_deployment = ? AND to_deployment = ?'
    const rows = await this.#database.rows(sql, [from, to])
    return new Map(
      rows.map((row) => {
        const { record, id } = copyRow.parse(row)
        return [record, { id, base: this.#storedLinks.ifReadable(row, (stored) => this.#baseOf(stored)) }]
      }),
    )
  }

  #baseOf(row: Row): JsonObject | undefined {
    const { record, base } = linkRow.parse(row)
    // Sealed by `link`.
    return base === null ? undefined : (this.#sealed.open(record, new Uint8Array(base)) as JsonObject)
  }

  /** The IDs of the copies, by `recordKey` of the side that is copied from. */
  async copies({ from, to }: Pair): Promise<Map<string, string>> {
    const sql =
      'SELECT from_deployment, to_deployment, record, id FROM links WHERE from_deployment = ? AND to_deployment = ?'
    const rows = await this.#database.rows(sql, [from, to])
    return new Map(rows.map((row) => copyRow.parse(row)).map(({ record, id }) => [record, id]))
  }

  /** The statement that remembers a link. */
  link({ from, to }: Pair, record: string, { id, base }: Link): Statement {
    return {
      sql: `INSERT INTO links (from_deployment, to_deployment, record, id, base) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (from_deployment, to_deployment, record) DO UPDATE SET id = excluded.id, base = excluded.base`,
      args: [from, to, record, id, base === undefined ? null : this.#sealed.seal(record, base)],
    }
  }

  /** The statement that forgets all links to a record of a deployment. */
  unlink(to: string, kind: string, id: string): Statement {
    return {
      sql: "DELETE FROM links WHERE to_deployment = ? AND id = ? AND record LIKE ? || '/%'",
      args: [to, id, kind],
    }
  }

  /** By `mappingKey`. A damaged one is asked for again. */
  async mappings({ from, to }: Pair): Promise<Map<string, MappingChoice>> {
    const sql =
      'SELECT from_deployment, to_deployment, reference, choice FROM mappings WHERE from_deployment = ? AND to_deployment = ?'
    const rows = await this.#database.rows(sql, [from, to])
    return new Map(
      this.#storedMappings.each(rows, (row) => {
        const { reference, choice } = mappingRow.parse(row)
        return [reference, mappingChoice.parse(JSON.parse(choice))]
      }),
    )
  }

  async remember({ from, to }: Pair, choices: ReadonlyMap<string, MappingChoice>): Promise<void> {
    const statements = [...choices].map(([reference, choice]) => ({
      sql: `INSERT INTO mappings (from_deployment, to_deployment, reference, choice) VALUES (?, ?, ?, ?)
        ON CONFLICT (from_deployment, to_deployment, reference) DO UPDATE SET choice = excluded.choice`,
      args: [from, to, reference, JSON.stringify(choice)],
    }))
    if (statements.length > 0) await this.#database.write(...statements)
  }
}
