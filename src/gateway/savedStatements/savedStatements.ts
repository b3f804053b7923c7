/** Statements that people keep on a connection. Their texts are sealed, because they may have values that are secret. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { SavedStatement, SavedStatementInput } from '#contract/console/savedStatements.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database, Row } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import { StoredRows } from '../database/storedRows.ts'

/** Statements of a connection. */
const maxStatements = 100
/** Milliseconds within which further uses are not noted. */
const usePrecision = 60_000

const columns = 'id, name, statement, author, created_at, changed_by, updated_at, version, used_at'
const row = z.object({
  id: z.string(),
  name: z.string(),
  statement: z.instanceof(ArrayBuffer),
  author: z.string(),
  created_at: z.string(),
  changed_by: z.string().nullable(),
  updated_at: z.string(),
  version: z.coerce.number(),
  used_at: z.string().nullable(),
})

export class SavedStatements {
  readonly #stored: StoredRows
  readonly #database: Database
  readonly #sealed: SealedJson

  constructor(database: Database, sealed: SealedJson) {
    this.#database = database
    this.#sealed = sealed
    this.#stored = new StoredRows(database, 'saved_statements')
  }

  /** By name. */
  async of(connectionId: string): Promise<SavedStatement[]> {
    const rows = await this.#database.rows(
      `SELECT ${columns} FROM saved_statements WHERE connection_id = ? ORDER BY lower(name), id`,
      [connectionId],
    )
    return this.#stored.each(rows, (found) => this.#statementOf(found))
  }

  /** @throws blocked for too many */
  async add(connectionId: string, { name, text }: SavedStatementInput, author: string): Promise<SavedStatement> {
    const id = randomBytes(9).toString('hex')
    const now = currentIsoTime()
    await this.#database.transact(async (transaction) => {
      const [counted] = await transaction.rows('SELECT count(*) AS n FROM saved_statements WHERE connection_id = ?', [
        connectionId,
      ])
      if (Number(counted?.['n']) >= maxStatements) {
        throw failure('blocked', `A connection has at most ${maxStatements} saved statements. Delete some first.`)
      }
      await transaction.run(
        `INSERT INTO saved_statements (id, connection_id, name, statement, author, created_at, updated_at, version)
          VALUES (?, ?, ?, ?, ?, ?, ?, 1)`,
        [id, connectionId, name, this.#sealed.sealText(contextOf(id), text), author, now, now],
      )
    })
    return { id, name, text, author, createdAt: now, updatedAt: now, version: 1 }
  }

  /** Changes the statement as it was read. Another text was never run. @throws notFound, and conflict if somebody changed it since */
  async change(
    { connectionId, statementId }: StatementPlace,
    { name, text }: SavedStatementInput,
    version: number,
    actor: string,
  ): Promise<SavedStatement> {
    const [before] = await this.#database.rows(
      `SELECT ${columns} FROM saved_statements WHERE connection_id = ? AND id = ? AND version = ?`,
      [connectionId, statementId, version],
    )
    const sameText = this.#stored.ifReadable(before, (found) => this.#statementOf(found))?.text === text
    const [changed] = await this.#database.rows(
      `UPDATE saved_statements SET name = ?, statement = ?, changed_by = ?, updated_at = ?, version = version + 1
        ${sameText ? '' : ', used_at = NULL'}
        WHERE connection_id = ? AND id = ? AND version = ? RETURNING ${columns}`,
      [
        name,
        this.#sealed.sealText(contextOf(statementId), text),
        actor,
        currentIsoTime(),
        connectionId,
        statementId,
        version,
      ],
    )
    if (!changed) throw await this.#refusalOf(connectionId, statementId)
    return this.#statementOf(changed)
  }

  /** @returns its name. @throws as `change` does */
  async remove({ connectionId, statementId }: StatementPlace, version: number): Promise<string> {
    const [removed] = await this.#database.rows(
      'DELETE FROM saved_statements WHERE connection_id = ? AND id = ? AND version = ? RETURNING name',
      [connectionId, statementId, version],
    )
    if (!removed) throw await this.#refusalOf(connectionId, statementId)
    return String(removed['name'])
  }

  /** Notes that the statement is run. One that is gone is run no less. */
  async noteUse({ connectionId, statementId }: StatementPlace): Promise<void> {
    const before = new Date(currentTime() - usePrecision).toISOString()
    await this.#database.write({
      sql: `UPDATE saved_statements SET used_at = ?
        WHERE connection_id = ? AND id = ? AND (used_at IS NULL OR used_at < ?)`,
      args: [currentIsoTime(), connectionId, statementId, before],
    })
  }

  /** Deletes all statements of a connection, which was removed. */
  async removeOf(connectionId: string): Promise<void> {
    await this.#database.write({ sql: 'DELETE FROM saved_statements WHERE connection_id = ?', args: [connectionId] })
  }

  async #refusalOf(connectionId: string, id: string) {
    const [found] = await this.#database.rows('SELECT id FROM saved_statements WHERE connection_id = ? AND id = ?', [
      connectionId,
      id,
    ])
    if (!found) return failure('notFound', 'This connection has no saved statement with this ID.')
    return failure('conflict', 'Somebody else changed this statement meanwhile.')
  }

  #statementOf(found: Row): SavedStatement {
    const { id, name, statement, author, created_at: createdAt, changed_by: changedBy, ...more } = row.parse(found)
    return {
      id,
      name,
      text: this.#sealed.openText(contextOf(id), new Uint8Array(statement)),
      author,
      createdAt,
      ...(changedBy !== null && { changedBy }),
      updatedAt: more.updated_at,
      version: more.version,
      ...(more.used_at !== null && { usedAt: more.used_at }),
    }
  }
}

interface StatementPlace {
  connectionId: string
  statementId: string
}

const contextOf = (id: string) => `saved statement ${id}`
