/** The identities of people at their sign-in providers, and the roles that their groups there give. */
import { z } from 'zod'
import type { GroupRole } from '#contract/console/people.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Database, Row } from '../../database/database.ts'
import { StoredRows } from '../../database/storedRows.ts'
import type { GroupRoleSource } from '../people/groupRoles.ts'
import { SignInMethods, type SignInMethod } from '../people/signInMethods.ts'
import { rolesOfGroups } from './claims.ts'
import type { ProviderSettings } from './providerSettings.ts'

const identityRow = z.object({
  person_id: z.string(),
  provider: z.string(),
  issuer: z.string(),
  group_names: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
  signed_in_at: z.string(),
  created_at: z.string(),
})
const columns = 'person_id, provider, issuer, subject, group_names, signed_in_at, created_at'

export interface Identity {
  personId: string
  provider: string
  groups: string[]
  /** The time of the last sign-in with it. */
  signedInAt: string
  createdAt: string
}

interface NewIdentity {
  issuer: string
  subject: string
  personId: string
  provider: string
  groups: readonly string[]
}

/** A damaged identity gives no roles. */
export class Identities implements GroupRoleSource {
  readonly #stored: StoredRows
  readonly #providers: ReadonlyMap<string, ProviderSettings>
  readonly #database: Database
  readonly #period: number
  readonly #now: () => number
  readonly #signInMethods: SignInMethods

  /** @param period milliseconds after a sign-in for which its groups give roles: as long as its session may last */
  constructor(
    database: Database,
    providers: readonly ProviderSettings[],
    period: number,
    now: () => number = currentTime,
    signInMethods = new SignInMethods(database),
  ) {
    this.#database = database
    this.#period = period
    this.#now = now
    this.#signInMethods = signInMethods
    this.#stored = new StoredRows(database, 'identities')
    this.#providers = new Map(providers.map((provider) => [provider.id, provider]))
  }

  /** The person of a subject. */
  async personOf(issuer: string, subject: string): Promise<string | undefined> {
    const rows = await this.#database.rows('SELECT person_id FROM identities WHERE issuer = ? AND subject = ?', [
      issuer,
      subject,
    ])
    const id = rows[0]?.['person_id']
    return typeof id === 'string' ? id : undefined
  }

  async of(personId: string): Promise<Identity[]> {
    const rows = await this.#database.rows(`SELECT ${columns} FROM identities WHERE person_id = ?`, [personId])
    return this.#stored.each(rows, identityOf)
  }

  /** @returns false if somebody else has it, or the person another one of this provider */
  async connect({ issuer, subject, personId, provider, groups }: NewIdentity): Promise<boolean> {
    const now = this.#isoIn(0)
    const rows = await this.#database.rows(
      `INSERT INTO identities (issuer, subject, person_id, provider, group_names, signed_in_at, created_at)
        SELECT ?, ?, ?, ?, ?, ?, ?
        WHERE NOT EXISTS (SELECT 1 FROM identities WHERE person_id = ? AND provider = ?)
        ON CONFLICT (issuer, subject) DO NOTHING RETURNING person_id`,
      [issuer, subject, personId, provider, JSON.stringify(groups), now, now, personId, provider],
    )
    return rows.length > 0
  }

  /** Removes an identity, unless it is the last way in which the person can sign in. @returns whether it is gone */
  async disconnect(personId: string, provider: string): Promise<boolean> {
    return this.#database.transact(async (transaction) => {
      const isOther = (method: SignInMethod) => method.kind !== 'provider' || method.id !== provider
      if (!(await this.#signInMethods.of(transaction, personId)).some(isOther)) {
        const remaining = 'SELECT 1 FROM identities WHERE person_id = ? AND provider = ? LIMIT 1'
        return (await transaction.rows(remaining, [personId, provider])).length === 0
      }
      await transaction.run('DELETE FROM identities WHERE person_id = ? AND provider = ?', [personId, provider])
      return true
    })
  }

  /**
   * The groups at a sign-in take the place of earlier ones. So does the provider, of several with one issuer: its
   * configuration says what the groups mean.
   */
  async noteSignIn({ issuer, subject, groups, provider }: Omit<NewIdentity, 'personId'>): Promise<void> {
    await this.#database.write({
      sql: 'UPDATE identities SET group_names = ?, signed_in_at = ?, provider = ? WHERE issuer = ? AND subject = ?',
      args: [JSON.stringify(groups), this.#isoIn(0), provider, issuer, subject],
    })
  }

  async groupRoles(personId?: string): Promise<Map<string, GroupRole[]>> {
    const found = new Map<string, GroupRole[]>()
    if (this.#providers.size === 0) return found
    const personFilter = personId === undefined ? '' : ' AND person_id = ?'
    const rows = await this.#database.rows(`SELECT ${columns} FROM identities WHERE signed_in_at > ?${personFilter}`, [
      this.#isoIn(-this.#period),
      ...(personId === undefined ? [] : [personId]),
    ])
    for (const { personId: id, provider, groups } of this.#stored.each(rows, identityOf)) {
      const settings = this.#providers.get(provider)
      if (settings) found.set(id, [...(found.get(id) ?? []), ...rolesOfGroups(groups, settings)])
    }
    return found
  }

  #isoIn(milliseconds: number): string {
    return new Date(this.#now() + milliseconds).toISOString()
  }
}

function identityOf(row: Row): Identity {
  const { person_id, provider, group_names, signed_in_at, created_at } = identityRow.parse(row)
  return { personId: person_id, provider, groups: group_names, signedInAt: signed_in_at, createdAt: created_at }
}
