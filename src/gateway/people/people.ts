/** The accounts of people. Each request reads what they may do now, so that changes act at once. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { personStates, type Person, type personInput } from '#contract/people.ts'
import { roles } from '#contract/consoleRoles.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { undefinedIfDamaged } from '#node/database/damagedRows.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database, Row } from '../database/database.ts'
import { StoredRows } from '../database/storedRows.ts'
import { hashPassword } from '#node/passwordHash.ts'
import { effectiveRoles, noGroups, type GroupRoleSource } from './groupRoles.ts'
import { verifyPassword } from './secrets.ts'

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

/** Of one console, invited and disabled ones too. */
const maxPeople = 5000
/** Milliseconds between two writes of when somebody was last seen. */
const seenInterval = 60_000

/** Somebody who signs in without a password, by a passkey or a provider. */
const hasAnotherWay = `(EXISTS (SELECT 1 FROM passkeys WHERE passkeys.person_id = people.id)
  OR EXISTS (SELECT 1 FROM identities WHERE identities.person_id = people.id))`

/** A change that would leave no administrator who can sign in changes nothing. Roles from groups can be taken away by the provider. */
const notTheLast = `(role <> 'administrator' OR state <> 'active' OR EXISTS (
  SELECT 1 FROM people AS other WHERE other.id <> people.id AND other.role = 'administrator' AND other.state = 'active'))`

/** Damaged accounts are in no list, and nobody signs in with one. */
export class People {
  private readonly stored: StoredRows

  constructor(
    private readonly database: Database,
    private readonly now: () => number = currentTime,
    private readonly groups: GroupRoleSource = noGroups,
  ) {
    this.stored = new StoredRows(database, 'people')
  }

  /** Whether anybody has an account. */
  async exist(): Promise<boolean> {
    return (await this.database.rows('SELECT id FROM people LIMIT 1')).length > 0
  }

  async list(): Promise<Person[]> {
    const rows = await this.database.rows(`SELECT ${columns} FROM people ORDER BY name, id`)
    const fromGroups = await this.groups.groupRoles()
    return this.stored.each(rows, (row) => personOf(row, fromGroups))
  }

  /** @throws DamagedRow */
  async get(id: string): Promise<Person | undefined> {
    const [row] = await this.database.rows(`SELECT ${columns} FROM people WHERE id = ?`, [id])
    return row && this.whole(row)
  }

  /** Somebody who may use the console now. */
  async present(id: string): Promise<Person | undefined> {
    const found = await this.get(id).catch(undefinedIfDamaged)
    return found?.state === 'active' ? found : undefined
  }

  async byEmail(email: string): Promise<Person | undefined> {
    const [row] = await this.database.rows(`SELECT ${columns} FROM people WHERE email = ?`, [normal(email)])
    return row && this.whole(row).catch(undefinedIfDamaged)
  }

  /** Somebody who is not active has no password that fits. */
  async withPassword(email: string, password: string): Promise<Person | undefined> {
    const [row] = await this.database.rows(`SELECT ${columns}, password FROM people WHERE email = ?`, [normal(email)])
    const isRight = await verifyPassword(passwordOf(row), password)
    return row && isRight && row['state'] === 'active' ? this.whole(row).catch(undefinedIfDamaged) : undefined
  }

  async hasAnyPassword(id: string): Promise<boolean> {
    const [row] = await this.database.rows('SELECT password FROM people WHERE id = ?', [id])
    return passwordOf(row) !== null
  }

  async hasPassword(id: string, password: string): Promise<boolean> {
    const [row] = await this.database.rows('SELECT password FROM people WHERE id = ?', [id])
    return verifyPassword(passwordOf(row), password)
  }

  /** @throws conflict for an e-mail address that somebody else has, blocked if there is no room */
  async add(input: Entered): Promise<Person> {
    const id = randomBytes(9).toString('hex')
    const { name, email, role, roles: own } = input
    const added = await this.database.transact(async (transaction) => {
      const [counted] = await transaction.rows('SELECT count(*) AS n FROM people')
      if (Number(counted?.['n']) >= maxPeople) {
        throw failure('blocked', `A console has at most ${maxPeople} people. Delete an account first.`)
      }
      const [row] = await transaction.rows(
        `INSERT INTO people (id, name, email, role, roles, state, created_at) VALUES (?, ?, ?, ?, ?, 'invited', ?)
          ON CONFLICT (email) DO NOTHING RETURNING ${columns}`,
        [id, name, email, role, JSON.stringify(own), this.iso()],
      )
      return row
    })
    return this.whole(added ?? taken(email))
  }

  /** @throws conflict for an e-mail address that somebody else has, and for the last administrator */
  async update(id: string, { name, email, role, roles: own }: Entered): Promise<Person> {
    const [other] = await this.database.rows('SELECT id FROM people WHERE email = ? AND id <> ?', [normal(email), id])
    if (other) taken(email)
    const rule = role === 'administrator' ? '' : ` AND ${notTheLast}`
    const rows = await this.database.rows(
      `UPDATE people SET name = ?, email = ?, role = ?, roles = ? WHERE id = ?${rule} RETURNING ${columns}`,
      [name, email, role, JSON.stringify(own), id],
    )
    return this.changed(id, rows)
  }

  /** @throws conflict for the last administrator */
  async setDisabled(id: string, disabled: boolean): Promise<Person> {
    const sql = disabled
      ? `UPDATE people SET state = 'disabled' WHERE id = ? AND ${notTheLast} RETURNING ${columns}`
      : `UPDATE people SET state = CASE WHEN password IS NULL AND NOT ${hasAnotherWay} THEN 'invited' ELSE 'active' END
          WHERE id = ? AND state = 'disabled' RETURNING ${columns}`
    const rows = await this.database.rows(sql, [id])
    if (!disabled && rows.length === 0) return this.known(id)
    return this.changed(id, rows)
  }

  /** @throws conflict for the last administrator */
  async remove(id: string): Promise<void> {
    const sql = `DELETE FROM people WHERE id = ? AND ${notTheLast} RETURNING id`
    // Nothing of a damaged account is read.
    if ((await this.database.rows(sql, [id])).length === 0) await this.changed(id, [])
  }

  /** From now on the person signs in with it. A disabled account stays disabled. */
  async setPassword(id: string, password: string): Promise<void> {
    await this.database.write({
      sql: "UPDATE people SET password = ?, state = CASE WHEN state = 'invited' THEN 'active' ELSE state END WHERE id = ?",
      args: [await hashPassword(password), id],
    })
  }

  /** Somebody who signs in without a password, by a proxy or a provider. */
  async activate(id: string): Promise<void> {
    await this.database.write({
      sql: "UPDATE people SET state = 'active' WHERE id = ? AND state = 'invited'",
      args: [id],
    })
  }

  /** A full disk refuses nobody. */
  async noteSeen({ id, seenAt }: Person): Promise<void> {
    if (seenAt !== undefined && this.now() - Date.parse(seenAt) < seenInterval) return
    await this.database
      .write({ sql: 'UPDATE people SET seen_at = ? WHERE id = ?', args: [this.iso(), id] })
      .catch(() => {})
  }

  /** @throws notFound */
  async known(id: string): Promise<Person> {
    const found = await this.get(id)
    if (!found) throw failure('notFound', 'This person does not exist. The account may have been deleted.')
    return found
  }

  private async changed(id: string, [row]: readonly Row[]): Promise<Person> {
    if (row) return this.whole(row)
    const { name } = await this.known(id)
    throw failure(
      'conflict',
      `${name} is the last administrator who can sign in. Make somebody else administrator first, by hand: a provider can take away roles from groups.`,
    )
  }

  private async whole(row: Row): Promise<Person> {
    const fromGroups = await this.groups.groupRoles(String(row['id']))
    return this.stored.one(row, (one) => personOf(one, fromGroups))
  }

  private iso(): string {
    return new Date(this.now()).toISOString()
  }
}

const normal = (email: string) => email.trim().toLowerCase()

function taken(email: string): never {
  const message = `Somebody else has the e-mail address ${email}.`
  throw failure('conflict', message, { fields: [{ path: 'email', message }] })
}

function passwordOf(row: Row | undefined): string | null {
  const password = row?.['password']
  return typeof password === 'string' ? password : null
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
