/**
 * Maps a connection between its shapes: as it is entered, stored, shown on the page, and used for requests. A
 * connection of production refuses writes, unless somebody allowed them for some minutes.
 */
import { randomBytes } from 'node:crypto'
import type { Connection } from '#contract/console/connections.ts'
import { initialStage, writesAllowedMinutes } from '#contract/console/stages.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { credential, type UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { ConnectionRecord, Entered } from './connectionRecords.ts'
import { secretFieldOf, type ConnectionSecrets } from './connectionSecrets.ts'
import { canonicalAddress } from './destination.ts'

export class ConnectionMapper {
  readonly #secrets: ConnectionSecrets

  constructor(secrets: ConnectionSecrets) {
    this.#secrets = secrets
  }

  /** The record to store. @param kept sealed secrets, for those that were not entered */
  recordOf(
    input: Entered,
    old: { id: string; createdAt: string; keyId?: string | undefined },
    kept: ConnectionRecord['sealed'],
  ): ConnectionRecord {
    const { accessKey, keySecret, keyId, baseUrl: entered, ...rest } = input
    const baseUrl = canonicalAddress(entered)
    const secrets = { accessKey, keySecret }
    const field = secretFieldOf(input.variant)
    const text = secrets[field]
    const sealed = text ? this.#secrets.seal({ id: old.id, baseUrl }, field, text) : kept[field]
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

  /** Whether a record is as the input of a seed would make it. */
  follows(record: ConnectionRecord, wanted: Entered): boolean {
    try {
      const secrets = this.#secrets.unsealed(record)
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

  /** The connection with only the last characters of its secrets. */
  shown(stored: ConnectionRecord): Connection {
    const { sealed: _, revision: __, readOnlyLiftedUntil: ___, ...rest } = stored
    const allowedUntil = writesAllowedUntil(stored)
    return {
      ...rest,
      readOnly: isLocked(stored),
      ...(allowedUntil !== undefined && { readOnlyLiftedUntil: allowedUntil }),
      ...this.#secrets.endOf(stored),
    }
  }

  /** Ready for requests. @throws keyRejected if its stored key cannot be decrypted */
  targetOf(stored: ConnectionRecord): UpstreamTarget {
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
      ...credential(variant, { ...this.#secrets.unsealed(stored), keyId }),
    }
  }
}

/** The revision of a record that was just changed. */
export function changedNow(): Pick<ConnectionRecord, 'updatedAt' | 'revision'> {
  return { updatedAt: currentIsoTime(), revision: randomBytes(6).toString('hex') }
}

type Guarded = Pick<Connection, 'stage' | 'readOnly' | 'readOnlyLiftedUntil'>

const maxWritesAllowed = writesAllowedMinutes * 60_000

/** Whether writes are refused now. `readOnly` is the setting of connections that are not production. */
function isLocked(connection: Guarded, now = currentTime()): boolean {
  return connection.stage === 'production' ? writesAllowedUntil(connection, now) === undefined : connection.readOnly
}

/** Until when writes on production are allowed; undefined if they are not. A time too far in the future is ignored. */
function writesAllowedUntil({ stage, readOnlyLiftedUntil }: Guarded, now = currentTime()): string | undefined {
  if (stage !== 'production' || readOnlyLiftedUntil === undefined) return undefined
  const left = Date.parse(readOnlyLiftedUntil) - now
  return left > 0 && left <= maxWritesAllowed ? readOnlyLiftedUntil : undefined
}

/** The connection with writes refused or allowed. On production they are allowed for a limited time. */
export function withReadOnly<C extends Guarded>(connection: C, readOnly: boolean, now = currentTime()): C {
  if (connection.stage !== 'production') return { ...connection, readOnly }
  const { readOnlyLiftedUntil: _, ...locked } = connection
  // Only an optional field is removed.
  return readOnly
    ? (locked as C)
    : { ...connection, readOnlyLiftedUntil: new Date(now + maxWritesAllowed).toISOString() }
}
