/** The accounts of people. Each request reads what they may do now, so that changes act at once. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { personStates, type Person, type personInput } from '#contract/console/people.ts'
import { roles } from '#contract/console/consoleRoles.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { undefinedIfDamaged } from '#node/database/damagedRows.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Statements } from '#node/database/statements.ts'
import type { Database, Row } from '../../database/database.ts'
import { StoredRows } from '../../database/storedRows.ts'
import { hashPassword } from '#node/secrets/passwordHash.ts'
import { effectiveRoles, noGroups, type GroupRoleSource } from './groupRoles.ts'
import { verifyPassword } from './secrets.ts'
import { passwordOf, SignInMethods } from './signInMethods.ts'

type Entered = z.output<typeof personInput>

const personRow = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  roles: z.string().transform((text) => z.record(z.string(), z.enum(roles)).parse(JSON.parse(text))),
  state: z.enum(personStates),
  created_at: z.string(),
  seen_at: z.string().nullable(),
})
const columns = 'id, name, email, role, roles, state, created_at, seen_at'

/** The most people of one console, including invited and disabled ones. */
const maxPeople = 5000
/** Milliseconds between two writes of when somebody was last seen. */
const seenInterval = 60_000

/** Damaged accounts are in no list, and nobody signs in with one. */
export class People {
  readonly #stored: StoredRows
  readonly #database: Database
  readonly #now: () => number
  readonly #groups: GroupRoleSource
  readonly #signInMethods: SignInMethods

  constructor(
    database: Database,
    now: () => number = currentTime,
    groups: GroupRoleSource = noGroups,
    signInMethods = new SignInMethods(database),
  ) {
    this.#database = database
    this.#now = now
    this.#groups = groups
    this.#signInMethods = signInMethods
    this.#stored = new StoredRows(database, 'people')
  }

  /** Whether anybody has an account. */
  async exist(): Promise<boolean> {
    return (await this.#database.rows('SELECT id FROM people LIMIT 1')).length > 0
  }

  async list(): Promise<Person[]> {
    const rows = await this.#database.rows(`SELECT ${columns} FROM people ORDER BY name, id`)
    const fromGroups = await this.#groups.groupRoles()
    return this.#stored.each(rows, (row) => personOf(row, fromGroups))
  }

  /** @throws DamagedRow */
  async get(id: string): Promise<Person | undefined> {
    const [row] = await this.#database.rows(`SELECT ${columns} FROM people WHERE id = ?`, [id])
    return row && this.#withGroupRoles(row)
  }

  /** Somebody who may use the console now. */
  async present(id: string): Promise<Person | undefined> {
    const found = await this.get(id).catch(undefinedIfDamaged)
    return found?.state === 'active' ? found : undefined
  }

  async byEmail(email: string): Promise<Person | undefined> {
    const [row] = await this.#database.rows(`SELECT ${columns} FROM people WHERE email = ?`, [normal(email)])
    return row && this.#withGroupRoles(row).catch(undefinedIfDamaged)
  }

  /** Somebody who is not active has no password that fits. */
  async withPassword(email: string, password: string): Promise<Person | undefined> {
    const [row] = await this.#database.rows(`SELECT ${columns}, password FROM people WHERE email = ?`, [normal(email)])
    const isRight = await verifyPassword(passwordOf(row), password)
    return row && isRight && row['state'] === 'active' ? this.#withGroupRoles(row).catch(undefinedIfDamaged) : undefined
  }

  async hasAnyPassword(id: string): Promise<boolean> {
    const [row] = await this.#database.rows('SELECT password FROM people WHERE id = ?', [id])
    return passwordOf(row) !== null
  }

  async hasPassword(id: string, password: string): Promise<boolean> {
    const [row] = await this.#database.rows('SELECT password FROM people WHERE id = ?', [id])
    return verifyPassword(passwordOf(row), password)
  }

  /** @throws conflict for an e-mail address that somebody else has, blocked if there is no room */
  async add(input: Entered): Promise<Person> {
    const id = randomBytes(9).toString('hex')
    const { name, email, role, roles: own } = input
    const added = await this.#database.transact(async (transaction) => {
      const [counted] = await transaction.rows('SELECT count(*) AS n FROM people')
      if (Number(counted?.['n']) >= maxPeople) {
        throw failure('blocked', `A console has at most ${maxPeople} people. Delete an account first.`)
      }
      const [row] = await transaction.rows(
        `INSERT INTO people (id, name, email, role, roles, state, created_at) VALUES (?, ?, ?, ?, ?, 'invited', ?)
          ON CONFLICT (email) DO NOTHING RETURNING ${columns}`,
        [id, name, email, role, JSON.stringify(own), this.#iso()],
      )
      return row
    })
    return this.#withGroupRoles(added ?? refuseTakenEmail(email))
  }

  /** @throws conflict for an e-mail address that somebody else has, and for the last administrator; notFound */
  async update(id: string, { name, email, role, roles: own }: Entered): Promise<Person> {
    const [row] = await this.#database.transact(async (transaction) => {
      const { rows } = transaction
      const [other] = await rows('SELECT id FROM people WHERE email = ? AND id <> ?', [normal(email), id])
      if (other) refuseTakenEmail(email)
      if (role !== 'administrator') await this.#refuseLast(transaction, id)
      return rows(`UPDATE people SET name = ?, email = ?, role = ?, roles = ? WHERE id = ? RETURNING ${columns}`, [
        name,
        email,
        role,
        JSON.stringify(own),
        id,
      ])
    })
    return this.#withGroupRoles(row ?? unknown())
  }

  /** @throws conflict for the last administrator, notFound */
  async setDisabled(id: string, disabled: boolean): Promise<Person> {
    const [row] = await this.#database.transact(async (transaction) => {
      if (disabled) await this.#refuseLast(transaction, id)
      const state = disabled
        ? 'disabled'
        : (await this.#signInMethods.of(transaction, id)).length > 0
          ? 'active'
          : 'invited'
      const only = disabled ? '' : " AND state = 'disabled'"
      return transaction.rows(`UPDATE people SET state = ? WHERE id = ?${only} RETURNING ${columns}`, [state, id])
    })
    return row ? this.#withGroupRoles(row) : this.known(id)
  }

  /** Nothing of a damaged account is read. @throws conflict for the last administrator, notFound */
  async remove(id: string): Promise<void> {
    await this.#database.transact(async (transaction) => {
      await this.#refuseLast(transaction, id)
      if ((await transaction.run('DELETE FROM people WHERE id = ?', [id])) === 0) unknown()
    })
  }

  /** From now on the person signs in with it. A disabled account stays disabled. */
  async setPassword(id: string, password: string): Promise<void> {
    await this.#database.write({
      sql: "UPDATE people SET password = ?, state = CASE WHEN state = 'invited' THEN 'active' ELSE state END WHERE id = ?",
      args: [await hashPassword(password), id],
    })
  }

  /** Somebody who signs in without a password, by a proxy or a provider. */
  async activate(id: string): Promise<void> {
    await this.#database.write({
      sql: "UPDATE people SET state = 'active' WHERE id = ? AND state = 'invited'",
      args: [id],
    })
  }

  /** A full disk refuses nobody. */
  async noteSeen({ id, seenAt }: Person): Promise<void> {
    if (seenAt !== undefined && this.#now() - Date.parse(seenAt) < seenInterval) return
    await this.#database
      .write({ sql: 'UPDATE people SET seen_at = ? WHERE id = ?', args: [this.#iso(), id] })
      .catch(() => {})
  }

  /** @throws notFound */
  async known(id: string): Promise<Person> {
    return (await this.get(id)) ?? unknown()
  }

  /**
   * Before a change after which somebody is no administrator. Only administrators by hand count, because a provider can
   * take away roles from groups, and only those who can sign in.
   *
   * @throws conflict if nobody else is left
   */
  async #refuseLast(transaction: Pick<Statements, 'rows'>, id: string): Promise<void> {
    const rows = await transaction.rows(
      `SELECT ${columns} FROM people WHERE role = 'administrator' AND state = 'active' ORDER BY id`,
    )
    const readable = this.#stored.each(rows, (row) => personOf(row, new Map()))
    const changed = readable.find((candidate) => candidate.id === id)
    if (!changed || !(await this.#signInMethods.has(transaction, id))) return
    for (const other of readable) if (other.id !== id && (await this.#signInMethods.has(transaction, other.id))) return
    throw failure(
      'conflict',
      `${changed.name} is the last administrator who can sign in. Make somebody else administrator first, by hand: a provider can take away roles from groups.`,
    )
  }

  async #withGroupRoles(row: Row): Promise<Person> {
    const fromGroups = await this.#groups.groupRoles(String(row['id']))
    return this.#stored.one(row, (stored) => personOf(stored, fromGroups))
  }

  #iso(): string {
    return new Date(this.#now()).toISOString()
  }
}

const normal = (email: string) => email.trim().toLowerCase()

function refuseTakenEmail(email: string): never {
  const message = `Somebody else has the e-mail address ${email}.`
  throw failure('conflict', message, { fields: [{ path: 'email', message }] })
}

function unknown(): never {
  throw failure('notFound', 'This person does not exist. The account may have been deleted.')
}

function personOf(row: Row, groups: Awaited<ReturnType<GroupRoleSource['groupRoles']>>): Person {
  const { created_at: createdAt, seen_at: seenAt, role, roles: own, ...rest } = personRow.parse(row)
  const byHand = { role, roles: own }
  const fromGroups = groups.get(rest.id) ?? []
  return {
    ...rest,
    ...effectiveRoles(byHand, fromGroups),
    byHand,
    ...(fromGroups.length > 0 && { fromGroups }),
    createdAt,
    ...(seenAt !== null && { seenAt }),
  }
}
