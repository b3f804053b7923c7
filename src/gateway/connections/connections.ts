/** The connections, stored in `connections.json` with encrypted secrets. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { connection, connectionInput, type Connection } from '#contract/connections.ts'
import { pathId } from '#contract/kernel.ts'
import { namingProfiles } from '#contract/naming.ts'
import { initialStage, stages, type Stage } from '#contract/stages.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { StateFile } from '#node/stateFile.ts'
import { isLocked, liftOf, withReadOnly } from './readOnlyRule.ts'
import { credential, type UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { seal, unseal, VaultError, type SealContext, type VaultKey } from '#node/vault.ts'

export const secretFields = ['accessKey', 'keySecret'] as const
type SecretField = (typeof secretFields)[number]

const record = connection
  .omit({ secretEnd: true, role: true, writesRefused: true, fourEyes: true, breakGlass: true })
  .extend({
    revision: z.string(),
    sealed: z.partialRecord(z.enum(secretFields), z.string()),
    // Files of earlier versions have no stage.
    stage: z.enum(stages).optional().catch(undefined),
  })
  .transform((stored) => ({ ...stored, stage: stored.stage ?? initialStage(stored.baseUrl) }))
type Record = z.output<typeof record>

const state = z.object({
  connections: z.array(record),
  /** The key of `console.db`, sealed like the secrets of connections. */
  dataKey: z.string().optional(),
})

export const connectionsFile = (dataDir: string) => new StateFile(join(dataDir, 'connections.json'), state)

/** The context that a stored secret is bound to: it cannot be decrypted for another connection, field or address. */
export function secretContext({ id, baseUrl }: Pick<Record, 'id' | 'baseUrl'>, field: SecretField): SealContext {
  return [id, field, baseUrl]
}

export const dataKeyContext: SealContext = ['data key']

/** A connection that every start creates or updates, such as the one to the local stack. */
export type Seed = z.input<typeof connectionInput> & { id: string }

type Entered = z.output<typeof connectionInput>

/** The key of a managed connection. */
export interface KeyPair {
  keyId: string
  keySecret: string
}

/** The organization that a managed connection leads to. */
type OrganizationPlace = Pick<UpstreamTarget, 'baseUrl' | 'organizationId'>

/** The end of a shorter secret would reveal too much of it. */
const minShownLength = 12

export class Connections {
  private readonly file: ReturnType<typeof connectionsFile>
  private records: Map<string, Record>
  private sealedDataKey: string | undefined

  constructor(
    dataDir: string,
    private readonly key: VaultKey,
  ) {
    this.file = connectionsFile(dataDir)
    const stored = this.file.read()
    this.records = new Map(stored?.connections.map((record) => [record.id, record]))
    this.sealedDataKey = stored?.dataKey
  }

  /** The key of `console.db`, which the first start creates. @throws VaultError if it was sealed with another key */
  dataKey(): Buffer {
    if (this.sealedDataKey !== undefined) {
      return Buffer.from(unseal(this.key, dataKeyContext, this.sealedDataKey), 'base64url')
    }
    const bytes = randomBytes(32)
    this.sealedDataKey = seal(this.key, dataKeyContext, bytes.toString('base64url'))
    this.store([...this.records.values()])
    return bytes
  }

  list(): Connection[] {
    return [...this.records.values()].map((record) => this.shown(record))
  }

  /** Undefined for a connection that does not exist. */
  stageOf(id: string): Stage | undefined {
    return this.records.get(id)?.stage
  }

  create(input: Entered, id = randomBytes(8).toString('hex')): Connection {
    const now = new Date().toISOString()
    return this.put(this.built(input, { id, createdAt: now }, {}))
  }

  /**
   * Updates a connection. A secret that is left out stays if the address stays the same. Throws invalid if the update ends
   * the protection of a production connection and `confirmedName` is not its name.
   */
  update(id: string, input: Entered, confirmedName?: string): Connection {
    const old = this.find(id)
    const stage = input.stage ?? old.stage
    if (stage !== 'production') refuseUnconfirmed(old, confirmedName)
    const kept = this.keptSecrets(old, input)
    const built = this.built({ ...input, stage }, old, kept)
    return this.put(built.baseUrl === old.baseUrl ? { ...built, ...lastingOf(old) } : built)
  }

  /** Refuses or allows writes. On production they are allowed for a limited time. */
  setReadOnly(id: string, readOnly: boolean): Connection {
    return this.put(withReadOnly(this.find(id), readOnly))
  }

  /** @throws invalid for a production connection if `confirmedName` is not its name */
  delete(id: string, confirmedName?: string): void {
    refuseUnconfirmed(this.find(id), confirmedName)
    this.store([...this.records.values()].filter((record) => record.id !== id))
  }

  /** Creates missing connections, unless only existing ones are wanted. Of those only the address and the keys are updated. */
  seed(seeds: readonly Seed[], which: 'all' | 'existing' = 'all'): void {
    for (const { id, ...seed } of seeds) {
      const wanted = connectionInput.parse(seed)
      const old = this.records.get(pathId.parse(id))
      if (!old && which === 'all') this.create(wanted, id)
      if (old && !this.follows(old, wanted)) {
        const { name, stage, readOnly } = old
        this.put(this.built({ ...wanted, name, stage, readOnly }, { id, createdAt: old.createdAt }, {}))
      }
    }
  }

  /**
   * Follows a rotation that was made through a connection: each connection to the address with the old key gets the new one.
   * Even if it cannot be written to the disk, it is used until the next start.
   */
  replaceAccessKey({ baseUrl, secrets: [old] }: Pick<UpstreamTarget, 'baseUrl' | 'secrets'>, accessKey: string): void {
    const changed = [...this.records.values()].map((record) => {
      if (record.variant !== 'openSource' || record.baseUrl !== baseUrl || !this.hasKey(record, old)) return record
      const sealed = { accessKey: seal(this.key, secretContext(record, 'accessKey'), accessKey) }
      return { ...record, sealed, ...changedNow() }
    })
    this.records = new Map(changed.map((record) => [record.id, record]))
    this.store(changed)
  }

  /** The key of a managed connection. @throws invalid if it has none, keyRejected if it cannot be decrypted */
  keyPairOf(id: string): KeyPair {
    const pair = this.pairIn(this.find(id))
    if (pair) return pair
    throw failure('invalid', 'This connection has no API key of a managed deployment.')
  }

  /** The connections to an organization that use a key. */
  withKeyPair(place: OrganizationPlace, pair: KeyPair): Connection[] {
    return [...this.records.values()]
      .filter((record) => this.usesPair(record, place, pair))
      .map((one) => this.shown(one))
  }

  /** Gives each connection to an organization that uses a key another one. All of them, or none if it cannot be stored. */
  replaceKeyPair(place: OrganizationPlace, old: KeyPair, next: KeyPair): void {
    const changed = [...this.records.values()].map((record): Record => {
      if (!this.usesPair(record, place, old)) return record
      const sealed = { keySecret: seal(this.key, secretContext(record, 'keySecret'), next.keySecret) }
      return { ...record, keyId: next.keyId, sealed, ...changedNow() }
    })
    this.store(changed)
  }

  /** A connection ready for requests. @throws notFound, or keyRejected if its stored key cannot be decrypted */
  open(id: string): UpstreamTarget {
    const old = this.find(id)
    return this.targetOf(old, this.unsealed(old))
  }

  /** The connection of a form as if it were saved. With an id, missing secrets come from that connection. */
  draft(input: Entered, id?: string): UpstreamTarget {
    const old = id === undefined ? undefined : this.find(id)
    const identity = { id: id ?? 'draft', createdAt: old?.createdAt ?? '', keyId: old?.keyId }
    const draft = this.built(input, identity, old ? this.keptSecrets(old, input) : {})
    return this.targetOf(draft, this.unsealed(draft))
  }

  private find(id: string): Record {
    const found = this.records.get(id)
    if (!found) throw failure('notFound', 'This connection does not exist. It may have been deleted.')
    return found
  }

  private put(record: Record): Connection {
    this.store([...new Map(this.records).set(record.id, record).values()])
    return this.shown(record)
  }

  /** Writes to the disk first, so that memory never holds what could not be stored. */
  private store(connections: Record[]): void {
    this.file.write({ connections, dataKey: this.sealedDataKey })
    this.records = new Map(connections.map((record) => [record.id, record]))
  }

  private built(
    input: Entered,
    old: { id: string; createdAt: string; keyId?: string | undefined },
    kept: Record['sealed'],
  ): Record {
    const { accessKey, keySecret, keyId, baseUrl: entered, ...rest } = input
    const baseUrl = canonicalAddress(entered)
    const secrets = { accessKey, keySecret }
    const field = secretOf(input.variant)
    const text = secrets[field]
    const sealed = text ? seal(this.key, secretContext({ id: old.id, baseUrl }, field), text) : kept[field]
    return {
      ...rest,
      stage: rest.stage ?? initialStage(baseUrl),
      baseUrl,
      id: old.id,
      keyId: input.variant === 'managed' ? (keyId ?? old.keyId) : undefined,
      sealed: sealed ? { [field]: sealed } : {},
      createdAt: old.createdAt,
      ...changedNow(),
    }
  }

  /** The secrets that an edit keeps. @throws invalid if a stored secret would be sent to another address */
  private keptSecrets(old: Record, input: Entered): Record['sealed'] {
    const field = secretOf(input.variant)
    const keeps = input[field] === undefined && old.sealed[field] !== undefined
    if (keeps && canonicalAddress(input.baseUrl) !== old.baseUrl) {
      const message = 'Enter the key again. The stored key belongs to the old address and is not sent to another one.'
      throw failure('invalid', message, { fields: [{ path: field, message }] })
    }
    return old.sealed
  }

  private unsealed(record: Record): { [F in SecretField]?: string } {
    const field = secretOf(record.variant)
    const sealed = record.sealed[field]
    if (!sealed) return {}
    try {
      return { [field]: unseal(this.key, secretContext(record, field), sealed) }
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      throw failure('keyRejected', `${error.message} Enter the key of this connection again.`)
    }
  }

  private hasKey(record: Record, accessKey: string | undefined): boolean {
    try {
      return this.unsealed(record).accessKey === accessKey
    } catch {
      return false // A key that cannot be decrypted is not known to be the old one.
    }
  }

  private pairIn(record: Record): KeyPair | undefined {
    const { keySecret } = record.variant === 'managed' ? this.unsealed(record) : {}
    return record.keyId === undefined || keySecret === undefined ? undefined : { keyId: record.keyId, keySecret }
  }

  private usesPair(record: Record, { baseUrl, organizationId }: OrganizationPlace, pair: KeyPair): boolean {
    if (record.baseUrl !== baseUrl || !sameId(record.organizationId, organizationId)) return false
    try {
      const own = this.pairIn(record)
      return own?.keyId === pair.keyId && own.keySecret === pair.keySecret
    } catch {
      return false // A key that cannot be decrypted is not known to be this one.
    }
  }

  private follows(record: Record, wanted: Entered): boolean {
    try {
      const secrets = this.unsealed(record)
      return (
        record.baseUrl === canonicalAddress(wanted.baseUrl) &&
        record.variant === wanted.variant &&
        record.organizationId === wanted.organizationId &&
        record.serviceId === wanted.serviceId &&
        record.naming === wanted.naming &&
        record.keyId === wanted.keyId &&
        secrets.accessKey === wanted.accessKey &&
        secrets.keySecret === wanted.keySecret
      )
    } catch {
      return false // The seed can replace a key that can no longer be decrypted.
    }
  }

  private shown(stored: Record): Connection {
    const { sealed: _, revision: __, readOnlyLiftedUntil: ___, ...rest } = stored
    const lift = liftOf(stored)
    return {
      ...rest,
      readOnly: isLocked(stored),
      ...(lift !== undefined && { readOnlyLiftedUntil: lift }),
      ...this.secretEnd(stored),
    }
  }

  private secretEnd(stored: Record): { secretEnd?: string } {
    try {
      const secret = this.unsealed(stored)[secretOf(stored.variant)]
      return secret && secret.length >= minShownLength ? { secretEnd: secret.slice(-4) } : {}
    } catch {
      return {} // Requests that need the key report why it cannot be decrypted.
    }
  }

  private targetOf(stored: Record, keys: { [F in SecretField]?: string }): UpstreamTarget {
    const { id, revision, variant, baseUrl, organizationId, serviceId, naming, allowPrivate, keyId } = stored
    return {
      connectionId: id,
      revision,
      variant,
      baseUrl,
      organizationId,
      serviceId,
      names: namingProfiles[naming],
      readOnly: isLocked(stored),
      allowPrivate,
      ...credential(variant, { ...keys, keyId }),
    }
  }
}

/** What an edit keeps: the label of earlier versions, and for how long writes are allowed. */
function lastingOf({ environment, readOnlyLiftedUntil }: Record): Pick<Record, 'environment' | 'readOnlyLiftedUntil'> {
  return { ...(environment && { environment }), ...(readOnlyLiftedUntil !== undefined && { readOnlyLiftedUntil }) }
}

function changedNow(): Pick<Record, 'updatedAt' | 'revision'> {
  return { updatedAt: new Date().toISOString(), revision: randomBytes(6).toString('hex') }
}

/** IDs of organizations are UUIDs, which deployments compare regardless of case. */
function sameId(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}

function refuseUnconfirmed({ stage, name }: Record, confirmedName: string | undefined): void {
  if (stage !== 'production' || confirmedName === name) return
  const message = `This is a production connection. Enter its name, ${name}, to confirm.`
  throw failure('invalid', message, { fields: [{ path: 'confirmedName', message }] })
}

function secretOf(variant: Entered['variant']): SecretField {
  return variant === 'openSource' ? 'accessKey' : 'keySecret'
}

/** The canonical spelling of a base address. @throws invalid if the URL standard would read it differently */
export function canonicalAddress(entered: string): string {
  const url = URL.canParse(entered) ? new URL(entered) : null
  const path = /^https?:\/\/[^/]*(.*)$/.exec(entered)?.[1]?.replace(/\/$/, '') ?? ''
  const plain = url && !url.username && !url.password && !url.search && !url.hash && url.port !== '0'
  if (!plain || url.pathname.replace(/\/$/, '') !== path || /[%;]|\/\//.test(path)) {
    const message = 'must be an address such as https://host:8000 or https://host/prefix'
    throw failure('invalid', `The base address ${message}.`, { fields: [{ path: 'baseUrl', message }] })
  }
  return url.origin + path
}
