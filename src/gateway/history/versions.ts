/**
 * Versions of records, by a digest of their content. Most versions of a record differ little, so a version is stored as the
 * difference to one that is stored whole (its keyframe), unless that would take most of its own size.
 */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { canonicalJson } from '#node/canonicalJson.ts'
import { undefinedIfDamaged } from '#node/database/damagedRows.ts'
import { readJson } from '#node/upstream/untrustedJson.ts'
import type { Database, Statement } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import { StoredRows } from '../database/storedRows.ts'
import { volatileOf } from './historyKinds.ts'

/** A difference may take this share of the whole; beyond, the version becomes a keyframe. */
const maxDelta = 0.5

const versionRow = z.object({ base: z.string().nullable(), bytes: z.instanceof(ArrayBuffer) })

export interface Version {
  hash: string
  /** Canonical JSON: without volatile fields, keys in order, numbers as the deployment wrote them. */
  text: string
}

export class Versions {
  readonly #key: Buffer
  readonly #stored: StoredRows
  readonly #texts: StoredRows
  /** The text of the last keyframes, which the next versions of the same records differ from. */
  readonly #keyframes = new Map<string, string>()
  /** The digests of records that were looked at: those of a list that has not changed are the same objects. */
  readonly #hashes = new WeakMap<object, string>()
  readonly #database: Database
  readonly #sealed: SealedJson

  constructor(database: Database, sealed: SealedJson) {
    this.#database = database
    this.#sealed = sealed
    this.#stored = new StoredRows(database, 'versions')
    this.#texts = new StoredRows(database, 'versions', 'text')
    // Keyed, because a plain digest could reveal a short secret in a record.
    this.#key = sealed.derivedKey('versions')
  }

  of(kind: string, record: unknown): Version {
    const known = isPlainObject(record) ? this.#hashes.get(record) : undefined
    const textOf = () => canonicalJson(record, volatileOf(kind))
    if (known !== undefined) {
      return {
        hash: known,
        get text() {
          return textOf()
        },
      }
    }
    const text = textOf()
    const hash = createHmac('sha256', this.#key).update(kind).update('\0').update(text).digest('base64url')
    if (isPlainObject(record)) this.#hashes.set(record, hash)
    return { hash, text }
  }

  /** The statement that stores a version, and the keyframe of the record from now on. */
  async store(
    { hash, text }: Version,
    keyframe: string | undefined,
  ): Promise<{ statement: Statement; keyframe: string }> {
    const insert = (base: string | null, bytes: Uint8Array): Statement => ({
      sql: 'INSERT INTO versions (hash, base, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      args: [hash, base, bytes],
    })
    const whole = this.#sealed.sealText(hash, text)
    const base =
      keyframe === undefined || keyframe === hash ? undefined : await this.#keyframe(keyframe).catch(undefinedIfDamaged)
    if (keyframe !== undefined && base !== undefined) {
      const delta = this.#sealed.sealText(hash, text, base)
      if (delta.length < whole.length * maxDelta) return { statement: insert(keyframe, delta), keyframe }
    }
    this.#remember(hash, text)
    return { statement: insert(null, whole), keyframe: hash }
  }

  /** The record of a version; undefined if it is no longer kept. @throws DamagedRow */
  async read(hash: string): Promise<unknown> {
    const text = await this.#text(hash)
    return text === undefined ? undefined : readJson(text)
  }

  /** The content of a version for callers that can go on without it; undefined also if it is damaged. */
  async readIfSound(hash: string): Promise<unknown> {
    return this.read(hash).catch(undefinedIfDamaged)
  }

  /** Frees the memory of keyframes. They are read again when they are needed. */
  forgetKeyframes(): void {
    this.#keyframes.clear()
  }

  /** @throws DamagedRow, also if the keyframe is damaged */
  async #text(hash: string): Promise<string | undefined> {
    const [row] = await this.#database.rows('SELECT hash, base, bytes FROM versions WHERE hash = ?', [hash])
    if (!row) return undefined
    const { base, bytes } = this.#stored.one(row, (stored) => versionRow.parse(stored))
    const dictionary = base === null ? undefined : await this.#keyframe(base)
    return this.#texts.one(row, () => this.#sealed.openText(hash, new Uint8Array(bytes), dictionary))
  }

  async #keyframe(hash: string): Promise<string | undefined> {
    const known = this.#keyframes.get(hash)
    if (known !== undefined) return known
    const text = await this.#text(hash)
    if (text !== undefined) this.#remember(hash, text)
    return text
  }

  #remember(hash: string, text: string): void {
    this.#keyframes.set(hash, text)
    const [oldest] = this.#keyframes.keys()
    if (this.#keyframes.size > maxKeyframes && oldest !== undefined) this.#keyframes.delete(oldest)
  }
}

/** Keyframes in memory: some megabytes. */
const maxKeyframes = 200
