/** Rotations on the disk. Each is stored before a step begins and after it ends, so that a console that ends leaves none half known. */
import { z } from 'zod'
import { rotationSteps, type RotationPhase } from '#contract/console/apiKeyRotations.ts'
import { ownerHasEnded, type OwnWrites } from '../cluster/ownWrites.ts'
import type { Database, Row } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import { StoredRows } from '../database/storedRows.ts'
import type { KeyPair } from '../connections/connectionSecrets.ts'

/** Properties that the new key takes over from the old one. */
const access = z.object({
  assignedRoleIds: z.array(z.string()).optional(),
  /** The deprecated names, of organizations without custom roles. */
  roles: z.array(z.string()).optional(),
  ipAccessList: z.array(z.object({ source: z.string(), description: z.string().optional() })),
})

const pair = z.object({ keyId: z.string(), keySecret: z.string() })

const details = z.object({
  actor: z.string(),
  /** The principal that started or resumed it last; absent without an account. */
  by: z.string().optional(),
  /** The ID of that person; null without an account, and for rotations that earlier versions stored. */
  personId: z.string().nullable().default(null),
  baseUrl: z.string(),
  organizationId: z.string(),
  oldKey: z.object({ id: z.string(), name: z.string(), suffix: z.string() }),
  newKey: z.object({
    /** Absent until the deployment has it. */
    id: z.string().optional(),
    name: z.string(),
    suffix: z.string(),
    expireAt: z.string().nullable(),
  }),
  access,
  /** Both keys, until the rotation has ended. */
  pairs: z.object({ old: pair, new: pair }).nullable(),
  /** Why the last step failed. */
  problem: z.string().optional(),
})
export type RotationDetails = z.output<typeof details>

export interface StoredRotation {
  id: string
  connectionId: string
  phase: RotationPhase
  state: 'running' | 'failed' | 'done'
  /** Steps of the phase that are done. */
  done: number
  startedAt: string
  endedAt: string | undefined
  /** Counts the times that it was stored. */
  version: number
  /** The ID of the console that carries it out, or did so last. */
  owner: string | null
  /** Whether that console has ended. */
  isLeft: boolean
  details: RotationDetails
}

/** The two keys of a rotation that has not ended. */
export type Pairs = { old: KeyPair; new: KeyPair }

const row = z.object({
  id: z.string(),
  connection_id: z.string(),
  phase: z.enum(['rotate', 'undo', 'finish']),
  state: z.enum(['running', 'failed', 'done']),
  done: z.coerce.number(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  version: z.coerce.number(),
  owner: z.string().nullable(),
  is_left: z.coerce.number(),
  details: z.instanceof(ArrayBuffer),
})

const columns = `id, connection_id, phase, state, done, started_at, ended_at, version, details, owner,
  CASE WHEN ${ownerHasEnded} THEN 1 ELSE 0 END AS is_left`

/** Rotations in the list. */
const maxListed = 200

export class RotationStore {
  readonly #database: Database
  readonly #stored: StoredRows
  readonly #own: OwnWrites
  readonly #sealed: SealedJson

  constructor(own: OwnWrites, sealed: SealedJson) {
    this.#own = own
    this.#sealed = sealed
    this.#database = own.database
    this.#stored = new StoredRows(own, 'api_key_rotations')
  }

  /** The console that carries out the rotations of this process. */
  get owner(): string | null {
    return this.#own.owner
  }

  /** @returns false if the same key is being rotated already, and then nothing is stored */
  async create(rotation: Omit<StoredRotation, 'version' | 'endedAt' | 'owner' | 'isLeft'>): Promise<boolean> {
    const { id, connectionId, phase, state, done, startedAt, details } = rotation
    const key = keyOf(details)
    return this.#own.transact(async (transaction) => {
      const open = 'SELECT id FROM api_key_rotations WHERE old_key = ? AND ended_at IS NULL'
      if ((await transaction.rows(open, [key])).length > 0) return false
      await transaction.run(
        `INSERT INTO api_key_rotations (id, connection_id, old_key, phase, state, done, started_at, version, details, owner)
          VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`,
        [id, connectionId, key, phase, state, done, startedAt, this.#sealed.seal(id, details), this.owner],
      )
      return true
    })
  }

  /** @throws DamagedRow */
  async get(id: string): Promise<StoredRotation | undefined> {
    const [found] = await this.#database.rows(`SELECT ${columns} FROM api_key_rotations WHERE id = ?`, [id])
    return found && this.#stored.one(found, (stored) => this.#open(stored))
  }

  /** The newest first, without damaged ones. */
  list(): Promise<StoredRotation[]> {
    const sql = `SELECT ${columns} FROM api_key_rotations ORDER BY started_at DESC LIMIT ? OFFSET ?`
    const page = (limit: number, offset: number) => this.#database.rows(sql, [limit, offset])
    return this.#stored.page(maxListed, page, (stored) => this.#open(stored))
  }

  /** It is this console's from then on. @returns the rotation as it is stored; undefined if somebody else has changed it */
  async update(rotation: StoredRotation): Promise<StoredRotation | undefined> {
    const { id, phase, state, done, endedAt, version, details } = rotation
    const stored = await this.#own.returned(
      `UPDATE api_key_rotations SET phase = ?, state = ?, done = ?, ended_at = ?, details = ?, owner = ?, version = version + 1
        WHERE id = ? AND version = ? RETURNING version`,
      [phase, state, done, endedAt ?? null, this.#sealed.seal(id, details), this.owner, id, version],
    )
    if (stored.length === 0) return undefined
    return { ...rotation, version: version + 1, owner: this.owner, isLeft: false }
  }

  #open(found: Row): StoredRotation {
    const stored = row.parse(found)
    return {
      id: stored.id,
      connectionId: stored.connection_id,
      phase: stored.phase,
      state: stored.state,
      done: Math.min(stored.done, rotationSteps[stored.phase].length),
      startedAt: stored.started_at,
      endedAt: stored.ended_at ?? undefined,
      version: stored.version,
      owner: stored.owner,
      isLeft: stored.is_left === 1,
      details: details.parse(this.#sealed.open(stored.id, new Uint8Array(stored.details))),
    }
  }
}

/** Only one rotation at a time replaces a key. */
function keyOf({ baseUrl, organizationId, oldKey }: RotationDetails): string {
  return `${baseUrl} ${organizationId.toLowerCase()} ${oldKey.id}`
}
