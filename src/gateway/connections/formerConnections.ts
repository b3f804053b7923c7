/** The connections of the versions that had them in `connections.json`, and the salt of their secret in `console.salt`. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { renameDurably, StateFile, UnusableState } from '#node/files/atomicFile.ts'
import type { Statements } from '#node/database/statements.ts'
import { keyOf, sealedWith } from '#node/secrets/vault.ts'
import { countRevision } from '../database/sharedList.ts'
import { connectionRecord } from './connectionRecords.ts'

const state = z.object({
  connections: z.array(connectionRecord),
  /** The data key, sealed like the secrets of connections. */
  dataKey: z.string().optional(),
})
type Former = z.output<typeof state>

/** Each start does again what a kill has interrupted: the file is kept aside only once the database has its content. */
export class FormerConnections {
  readonly #path: string
  readonly #salt: string

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'connections.json')
    this.#salt = join(dataDir, 'console.salt')
  }

  /** @throws UnusableState for a damaged file, or if the database has connections that are not from this file */
  async takeOver(transaction: Statements, secret: string | undefined): Promise<void> {
    const former = new StateFile(this.#path, state).read()
    if (!former) return
    const digest = createHash('sha256').update(readFileSync(this.#path)).digest('base64')
    const [taken] = await transaction.rows("SELECT value FROM console_keys WHERE name = 'former file'")
    if (taken?.['value'] === digest) return
    if ((await transaction.rows('SELECT name FROM console_keys LIMIT 1')).length > 0) {
      throw new UnusableState(
        `${this.#path} is of an earlier version, but the console's database has connections already. Move the file away to use those.`,
      )
    }
    const insertKey = (name: string, value: string) =>
      transaction.run('INSERT INTO console_keys (name, value) VALUES (?, ?)', [name, value])
    for (const [at, record] of former.connections.entries()) {
      await transaction.run('INSERT INTO connections (id, position, record) VALUES (?, ?, ?)', [
        record.id,
        at + 1,
        JSON.stringify(record),
      ])
    }
    await countRevision(transaction, 'connections')
    if (former.dataKey !== undefined) await insertKey('data key', former.dataKey)
    const salt = secret === undefined ? undefined : this.#saltOf(former, secret)
    if (salt !== undefined) await insertKey('salt', salt)
    await insertKey('former file', digest)
  }

  /** Call this once the transaction is stored. */
  putAside(): void {
    if (!existsSync(this.#path)) return
    if (existsSync(this.#salt)) renameDurably(this.#salt, `${this.#salt}.migrated`)
    renameDurably(this.#path, `${this.#path}.migrated`)
  }

  /** The salt with which the secret is the key of the file: the new one if a rotation was killed after it wrote the file. */
  #saltOf({ connections, dataKey }: Former, secret: string): string | undefined {
    const texts = [
      ...connections.flatMap(({ sealed }) => Object.values(sealed)),
      ...(dataKey === undefined ? [] : [dataKey]),
    ]
    const inUse = new Set(texts.map(sealedWith))
    const next = `${this.#salt}.next`
    if (existsSync(next)) {
      if (inUse.has(keyOf(next, secret).id)) renameDurably(next, this.#salt)
      else if (existsSync(this.#salt) && inUse.has(keyOf(this.#salt, secret).id)) rmSync(next)
    }
    return existsSync(this.#salt) && inUse.has(keyOf(this.#salt, secret).id)
      ? readFileSync(this.#salt, 'utf8').trim()
      : undefined
  }
}
