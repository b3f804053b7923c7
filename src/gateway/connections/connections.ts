/** The connections, with encrypted secrets. Consoles that share a database share them. */
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { connectionInput, type Connection } from '#contract/console/connections.ts'
import { pathId } from '#contract/wire/kernel.ts'
import type { Stage } from '#contract/console/stages.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { SharedList } from '../database/sharedList.ts'
import { changedNow, ConnectionMapper, withReadOnly } from './connectionMapper.ts'
import type { ConnectionRecord, Entered } from './connectionRecords.ts'
import { ConnectionSecrets, type KeyPair, type OrganizationPlace } from './connectionSecrets.ts'
import type { ConsoleKeys } from './consoleKeys.ts'
import { refusePrivateDestination } from './destination.ts'

/** A connection that every start creates or updates, such as the one to the local stack. */
export type Seed = z.input<typeof connectionInput> & {
  id: string
  /** It is created once, and removed when it is no seed any more: see `seedConnections.ts`. */
  temporary?: true
}

/** Who edits a connection. */
export interface Editor {
  /** Whether it is an administrator of the console. */
  administers: boolean
  /** The name of the connection, if it was typed to confirm the edit. */
  confirmedName?: string | undefined
}

/** A record that could not be stored, in use until it is. */
interface Unstored {
  /** The revision of the stored record that it replaces. */
  replaces: string
  record: ConnectionRecord
}

export class Connections {
  readonly #unstored = new Map<string, Unstored>()
  readonly #secrets: ConnectionSecrets
  readonly #mapper: ConnectionMapper
  readonly #stored: SharedList<ConnectionRecord>
  readonly #keys: ConsoleKeys

  /** @param stored has been opened */
  constructor(stored: SharedList<ConnectionRecord>, keys: ConsoleKeys) {
    this.#stored = stored
    this.#keys = keys
    this.#secrets = new ConnectionSecrets(keys)
    this.#mapper = new ConnectionMapper(this.#secrets)
  }

  /** The key of what the database has sealed. */
  get dataKey(): Uint8Array {
    return this.#keys.dataKey
  }

  /** Follows what other consoles have changed, like `SharedList.refresh`. @returns ids of the connections that are not as they were */
  refresh(seen?: ReadonlyMap<string, number>): Promise<string[]> {
    return this.#stored.refresh(seen)
  }

  list(): Connection[] {
    return this.#stored.all().map((record) => this.#mapper.shown(this.#current(record)))
  }

  /** In the order of `list`. */
  ids(): string[] {
    return this.#stored.all().map(({ id }) => id)
  }

  /** Undefined for a connection that does not exist. */
  nameOf(id: string): string | undefined {
    return this.#stored.get(id)?.name
  }

  /** Changes with every edit of a connection; undefined for one that does not exist. */
  revisionOf(id: string): string | undefined {
    const stored = this.#stored.get(id)
    return stored && this.#current(stored).revision
  }

  /** Whether a connection is stored. A damaged one is, although it is in no list. */
  isStored(id: string): boolean {
    return this.#stored.has(id)
  }

  /** Undefined for a connection that does not exist. */
  stageOf(id: string): Stage | undefined {
    return this.#stored.get(id)?.stage
  }

  /** Whether everybody who may read it may run SQL. */
  allowsSqlToReaders(id: string): boolean {
    return this.#stored.get(id)?.sqlForReaders === true
  }

  async create(input: Entered): Promise<Connection> {
    const id = randomBytes(8).toString('hex')
    const record = this.#mapper.recordOf(input, { id, createdAt: currentIsoTime() }, {})
    await this.#change((records) => [...records, record])
    return this.#mapper.shown(record)
  }

  /**
   * Updates a connection. A secret that is left out stays if the address stays the same. Throws invalid if the update ends
   * the protection of a production connection and `confirmedName` is not its name, and forbidden if the editor may not send
   * requests to private addresses.
   */
  update(id: string, input: Entered, { administers, confirmedName }: Editor): Promise<Connection> {
    return this.#edit(id, (old) => {
      refusePrivateDestination(old, input, administers)
      const stage = input.stage ?? old.stage
      if (stage !== 'production') refuseUnconfirmed(old, confirmedName)
      const kept = this.#secrets.keptBy(input, old)
      const built = this.#mapper.recordOf({ ...input, stage }, old, kept)
      return built.baseUrl === old.baseUrl ? { ...built, ...lastingOf(old) } : built
    })
  }

  /** Refuses or allows writes. On production they are allowed for a limited time. */
  setReadOnly(id: string, readOnly: boolean): Promise<Connection> {
    return this.#edit(id, (old) => withReadOnly(old, readOnly))
  }

  /** @throws invalid for a production connection if `confirmedName` is not its name */
  async delete(id: string, confirmedName?: string): Promise<void> {
    await this.#change((records) => {
      refuseUnconfirmed(foundIn(records, id), confirmedName)
      return records.filter((record) => record.id !== id)
    })
  }

  /** Removes a connection that no person has added, if it still leads to the address. @returns whether it did */
  async withdraw(id: string, baseUrl: string): Promise<boolean> {
    let isRemoved = false
    await this.#change((records) => {
      const left = records.filter((record) => record.id !== id || record.baseUrl !== baseUrl)
      isRemoved = left.length < records.length
      return left
    })
    return isRemoved
  }

  /** Removes a connection that cannot be read, so that nothing can be sent through it. @throws notFound for any other */
  async removeDamaged(id: string): Promise<void> {
    if (!(await this.#stored.removeDamaged(id))) throw failure('notFound', 'This connection is not damaged.')
  }

  /** Whether the connections of seeds are as these would make them, as far as they exist. */
  haveSeeds(seeds: readonly Seed[]): boolean {
    return parsedSeeds(seeds).every(({ id, input }) => {
      const record = this.#stored.get(id)
      return !record || this.#mapper.follows(this.#current(record), input)
    })
  }

  /** Creates missing connections, unless only existing ones are wanted. Of those only the address and the keys are updated. */
  async seed(seeds: readonly Seed[], which: 'all' | 'existing' = 'all'): Promise<void> {
    const wanted = parsedSeeds(seeds)
    await this.#change((records) => {
      const byId = new Map(records.map((record) => [record.id, record]))
      for (const { id, input } of wanted) {
        const old = byId.get(id)
        if (!old && which === 'all') byId.set(id, this.#mapper.recordOf(input, { id, createdAt: currentIsoTime() }, {}))
        if (old && !this.#mapper.follows(old, input)) {
          const { name, stage, readOnly, sqlForReaders, sharedLinks, createdAt } = old
          byId.set(
            id,
            this.#mapper.recordOf(
              { ...input, name, stage, readOnly, sqlForReaders, sharedLinks },
              { id, createdAt },
              {},
            ),
          )
        }
      }
      return [...byId.values()]
    })
  }

  /**
   * Follows a rotation that was made through a connection: each connection to the address with the old key gets the new one.
   * Even if it cannot be stored, it is used until the next start, and stored with the next change.
   */
  async replaceAccessKey(
    { baseUrl, secrets: [old] }: Pick<UpstreamTarget, 'baseUrl' | 'secrets'>,
    accessKey: string,
  ): Promise<void> {
    const replaced = (record: ConnectionRecord): ConnectionRecord => {
      if (record.variant !== 'openSource' || record.baseUrl !== baseUrl || !this.#secrets.hasAccessKey(record, old))
        return record
      const sealed = { accessKey: this.#secrets.seal(record, 'accessKey', accessKey) }
      return { ...record, sealed, ...changedNow() }
    }
    for (const stored of this.#stored.all()) {
      const record = replaced(this.#current(stored))
      if (record !== this.#current(stored)) this.#unstored.set(stored.id, { replaces: stored.revision, record })
    }
    await this.#change((records) => records.map(replaced))
  }

  /** The key of a managed connection. @throws invalid if it has none, keyRejected if it cannot be decrypted */
  keyPairOf(id: string): KeyPair {
    const pair = this.#secrets.pairOf(this.#find(id))
    if (pair) return pair
    throw failure('invalid', 'This connection has no API key of a managed deployment.')
  }

  /** The connections to an organization that use a key. */
  withKeyPair(place: OrganizationPlace, pair: KeyPair): Connection[] {
    return this.#stored
      .all()
      .map((record) => this.#current(record))
      .filter((record) => this.#secrets.usesPair(record, place, pair))
      .map((stored) => this.#mapper.shown(stored))
  }

  /** Gives each connection to an organization that uses a key another one. All of them, or none if it cannot be stored. */
  async replaceKeyPair(place: OrganizationPlace, old: KeyPair, next: KeyPair): Promise<void> {
    await this.#change((records) =>
      records.map((record): ConnectionRecord => {
        if (!this.#secrets.usesPair(record, place, old)) return record
        const sealed = { keySecret: this.#secrets.seal(record, 'keySecret', next.keySecret) }
        return { ...record, keyId: next.keyId, sealed, ...changedNow() }
      }),
    )
  }

  /** A connection ready for requests. @throws notFound, or keyRejected if its stored key cannot be decrypted */
  open(id: string): UpstreamTarget {
    return this.#mapper.targetOf(this.#find(id))
  }

  /**
   * The connection of a form as if it were saved. With an id, missing secrets come from that connection. Throws forbidden if
   * the editor could not save it.
   */
  draft(input: Entered, { administers }: Editor, id?: string): UpstreamTarget {
    const old = id === undefined ? undefined : this.#find(id)
    if (old) refusePrivateDestination(old, input, administers)
    const identity = { id: id ?? 'draft', createdAt: old?.createdAt ?? '', keyId: old?.keyId }
    const draft = this.#mapper.recordOf(input, identity, old ? this.#secrets.keptBy(input, old) : {})
    return this.#mapper.targetOf(draft)
  }

  #find(id: string): ConnectionRecord {
    const stored = this.#stored.get(id)
    if (!stored) throw unknownConnection()
    return this.#current(stored)
  }

  #current(stored: ConnectionRecord): ConnectionRecord {
    const unstored = this.#unstored.get(stored.id)
    return unstored?.replaces === stored.revision ? unstored.record : stored
  }

  async #edit(id: string, work: (old: ConnectionRecord) => ConnectionRecord): Promise<Connection> {
    let edited: ConnectionRecord | undefined
    await this.#change((records) => {
      const old = foundIn(records, id)
      edited = work(old)
      return records.map((record) => (record === old && edited ? edited : record))
    })
    return this.#mapper.shown(edited ?? this.#find(id))
  }

  /** Changes what is stored, whichever console stored it. In memory once it is stored. */
  #change(work: (records: readonly ConnectionRecord[]) => readonly ConnectionRecord[]): Promise<void> {
    return this.#stored.change((stored) => work(stored.map((record) => this.#current(record))))
  }
}

/** The fields that an edit keeps: the label of earlier versions, and for how long writes are allowed. */
function lastingOf({
  environment,
  readOnlyLiftedUntil,
}: ConnectionRecord): Pick<ConnectionRecord, 'environment' | 'readOnlyLiftedUntil'> {
  return { ...(environment && { environment }), ...(readOnlyLiftedUntil !== undefined && { readOnlyLiftedUntil }) }
}

function parsedSeeds(seeds: readonly Seed[]): { id: string; input: Entered }[] {
  return seeds.map(({ id, temporary: _temporary, ...seed }) => ({
    id: pathId.parse(id),
    input: connectionInput.parse(seed),
  }))
}

function foundIn(records: readonly ConnectionRecord[], id: string): ConnectionRecord {
  const found = records.find((record) => record.id === id)
  if (!found) throw unknownConnection()
  return found
}

const unknownConnection = () => failure('notFound', 'This connection does not exist. It may have been deleted.')

function refuseUnconfirmed({ stage, name }: ConnectionRecord, confirmedName: string | undefined): void {
  if (stage !== 'production' || confirmedName === name) return
  const message = `This is a production connection. Enter its name, ${name}, to confirm.`
  throw failure('invalid', message, { fields: [{ path: 'confirmedName', message }] })
}
