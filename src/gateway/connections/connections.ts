/** The connections: what a person entered, kept in `connections.json`, secrets sealed. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { connection, connectionInput, type Connection } from '#contract/connections.ts'
import { pathId } from '#contract/kernel.ts'
import { namingProfiles } from '#contract/naming.ts'
import { initialStage, stages } from '#contract/stages.ts'
import { failure } from '../http/errors.ts'
import { StateFile } from '#node/stateFile.ts'
import { isLocked, liftOf, withReadOnly } from './readOnly.ts'
import { credential, type Target } from '../upstream/upstreamTarget.ts'
import { seal, unseal, VaultError, type Place, type VaultKey } from '#node/vault.ts'

export const secretFields = ['accessKey', 'keySecret'] as const
type SecretField = (typeof secretFields)[number]

const record = connection
  .omit({ secretEnd: true })
  .extend({
    revision: z.string(),
    sealed: z.partialRecord(z.enum(secretFields), z.string()),
    // Files of the time before there were stages have none.
    stage: z.enum(stages).optional().catch(undefined),
  })
  .transform((stored) => ({ ...stored, stage: stored.stage ?? initialStage(stored.baseUrl) }))
type Record = z.output<typeof record>

const state = z.object({ connections: z.array(record) })

/** Where they are kept. */
export const connectionsFile = (dataDir: string) => new StateFile(join(dataDir, 'connections.json'), state)

/** What a sealed secret of a stored connection belongs to. */
export function placeOf({ id, baseUrl }: Pick<Record, 'id' | 'baseUrl'>, field: SecretField): Place {
  return [id, field, baseUrl]
}

/** A connection that every start makes sure of, such as the one to the stack beside it. */
export type Seed = z.input<typeof connectionInput> & { id: string }

type Entered = z.output<typeof connectionInput>

/** Fewer characters than this would give too much of the secret away. */
const shortestShownSecret = 12

export class Connections {
  private readonly file: ReturnType<typeof connectionsFile>
  private records: Map<string, Record>

  constructor(
    dataDir: string,
    private readonly key: VaultKey,
  ) {
    this.file = connectionsFile(dataDir)
    this.records = new Map(this.file.read()?.connections.map((record) => [record.id, record]))
  }

  list(): Connection[] {
    return [...this.records.values()].map((record) => this.shown(record))
  }

  create(input: Entered, id = randomBytes(8).toString('hex')): Connection {
    const now = new Date().toISOString()
    return this.put(this.built(input, { id, createdAt: now }, {}))
  }

  /**
   * A secret that is left out stays, as long as it would go to the same address. Throws invalid where it would end the
   * protection of a production connection and `confirmedName` is not its name.
   */
  update(id: string, input: Entered, confirmedName?: string): Connection {
    const old = this.find(id)
    const stage = input.stage ?? old.stage
    if (stage !== 'production') refuseUnconfirmed(old, confirmedName)
    const kept = this.keptSecrets(old, input)
    const built = this.built({ ...input, stage }, old, kept)
    return this.put(built.baseUrl === old.baseUrl ? { ...built, ...lastingOf(old) } : built)
  }

  /** Refuses writes, or allows them: on production for a while. */
  setReadOnly(id: string, readOnly: boolean): Connection {
    return this.put(withReadOnly(this.find(id), readOnly))
  }

  /** Throws invalid where it is a production connection and `confirmedName` is not its name. */
  delete(id: string, confirmedName?: string): void {
    refuseUnconfirmed(this.find(id), confirmedName)
    this.store([...this.records.values()].filter((record) => record.id !== id))
  }

  /** Creates what is absent; of what is there, the address and keys follow the seed, the rest stays a person's. */
  seed(seeds: readonly Seed[]): void {
    for (const { id, ...seed } of seeds) {
      const wanted = connectionInput.parse(seed)
      const old = this.records.get(pathId.parse(id))
      if (!old) this.create(wanted, id)
      else if (!this.follows(old, wanted)) {
        const { name, stage, readOnly } = old
        this.put(this.built({ ...wanted, name, stage, readOnly }, { id, createdAt: old.createdAt }, {}))
      }
    }
  }

  /** A connection ready for requests. Throws notFound, or keyRejected when its stored key does not open. */
  open(id: string): Target {
    const old = this.find(id)
    return this.targetOf(old, this.unsealed(old))
  }

  /** What a form holds, as if it were saved; with an id, what the form leaves out comes from that connection. */
  draft(input: Entered, id?: string): Target {
    const old = id === undefined ? undefined : this.find(id)
    const identity = { id: id ?? 'draft', createdAt: old?.createdAt ?? '', keyId: old?.keyId }
    const draft = this.built(input, identity, old ? this.keptSecrets(old, input) : {})
    return this.targetOf(draft, this.unsealed(draft))
  }

  private find(id: string): Record {
    const found = this.records.get(id)
    if (!found) throw failure('notFound', 'This connection does not exist; it may have been deleted.')
    return found
  }

  private put(record: Record): Connection {
    this.store([...new Map(this.records).set(record.id, record).values()])
    return this.shown(record)
  }

  /** The disk first: what it does not take is not in memory either. */
  private store(connections: Record[]): void {
    this.file.write({ connections })
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
    const sealed = text ? seal(this.key, placeOf({ id: old.id, baseUrl }, field), text) : kept[field]
    return {
      ...rest,
      stage: rest.stage ?? initialStage(baseUrl),
      baseUrl,
      id: old.id,
      keyId: input.variant === 'managed' ? (keyId ?? old.keyId) : undefined,
      sealed: sealed ? { [field]: sealed } : {},
      createdAt: old.createdAt,
      updatedAt: new Date().toISOString(),
      revision: randomBytes(6).toString('hex'),
    }
  }

  /** The sealed secrets that an edit may keep. Throws invalid where a stored one would reach another address. */
  private keptSecrets(old: Record, input: Entered): Record['sealed'] {
    const field = secretOf(input.variant)
    const keeps = input[field] === undefined && old.sealed[field] !== undefined
    if (keeps && canonicalAddress(input.baseUrl) !== old.baseUrl) {
      const message = 'Enter the key again: the stored one belongs to the old address and is not sent to another.'
      throw failure('invalid', message, { fields: [{ path: field, message }] })
    }
    return old.sealed
  }

  private unsealed(record: Record): { [F in SecretField]?: string } {
    const field = secretOf(record.variant)
    const sealed = record.sealed[field]
    if (!sealed) return {}
    try {
      return { [field]: unseal(this.key, placeOf(record, field), sealed) }
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      throw failure('keyRejected', `${error.message} Enter the key of this connection again.`)
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
      return false // A key that does not open any more is one that the seed can give again.
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
      return secret && secret.length >= shortestShownSecret ? { secretEnd: secret.slice(-4) } : {}
    } catch {
      return {} // The call that needs the key says why it does not open.
    }
  }

  private targetOf(stored: Record, keys: { [F in SecretField]?: string }): Target {
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

/** What an edit does not touch: the former word, and minutes of writes that were asked for. */
function lastingOf({ environment, readOnlyLiftedUntil }: Record): Pick<Record, 'environment' | 'readOnlyLiftedUntil'> {
  return { ...(environment && { environment }), ...(readOnlyLiftedUntil !== undefined && { readOnlyLiftedUntil }) }
}

function refuseUnconfirmed({ stage, name }: Record, confirmedName: string | undefined): void {
  if (stage !== 'production' || confirmedName === name) return
  const message = `This is a production connection: confirm with its name, ${name}.`
  throw failure('invalid', message, { fields: [{ path: 'confirmedName', message }] })
}

function secretOf(variant: Entered['variant']): SecretField {
  return variant === 'openSource' ? 'accessKey' : 'keySecret'
}

/** One spelling for an address, as the URL standard reads it. Throws invalid where it means something else than it says. */
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
