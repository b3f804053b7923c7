/** The secrets of connections: sealed where they are stored, and compared with the keys that deployments have. */
import { isSameUuid } from '#contract/console/deployments.ts'
import { seal, unseal, VaultError } from '#node/secrets/vault.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { secretContext, type ConnectionRecord, type Entered, type SecretField } from './connectionRecords.ts'
import type { ConsoleKeys } from './consoleKeys.ts'
import { canonicalAddress } from './destination.ts'

/** The key of a managed connection. */
export interface KeyPair {
  keyId: string
  keySecret: string
}

/** The organization that a managed connection leads to. */
export type OrganizationPlace = Pick<UpstreamTarget, 'baseUrl' | 'organizationId'>

/** Secrets as they were entered. */
type PlainSecrets = { [F in SecretField]?: string }

/** The end of a shorter secret would reveal too much of it. */
const minShownLength = 12

export class ConnectionSecrets {
  readonly #keys: ConsoleKeys

  constructor(keys: ConsoleKeys) {
    this.#keys = keys
  }

  /** A secret, encrypted for this connection, field and address alone. */
  seal(connection: Pick<ConnectionRecord, 'id' | 'baseUrl'>, field: SecretField, text: string): string {
    return seal(this.#keys.key, secretContext(connection, field), text)
  }

  /** @throws keyRejected if the stored secret cannot be decrypted */
  unsealed(record: ConnectionRecord): PlainSecrets {
    const field = secretFieldOf(record.variant)
    const sealed = record.sealed[field]
    if (!sealed) return {}
    try {
      return { [field]: unseal(this.#keys.key, secretContext(record, field), sealed) }
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      throw failure('keyRejected', `${error.message} Enter the key of this connection again.`)
    }
  }

  /** The secrets that an edit keeps. @throws invalid if a stored secret would be sent to another address */
  keptBy(input: Entered, old: ConnectionRecord): ConnectionRecord['sealed'] {
    const field = secretFieldOf(input.variant)
    const keeps = input[field] === undefined && old.sealed[field] !== undefined
    if (keeps && canonicalAddress(input.baseUrl) !== old.baseUrl) {
      const message = 'Enter the key again. The stored key belongs to the old address and is not sent to another one.'
      throw failure('invalid', message, { fields: [{ path: field, message }] })
    }
    return old.sealed
  }

  hasAccessKey(record: ConnectionRecord, accessKey: string | undefined): boolean {
    try {
      return this.unsealed(record).accessKey === accessKey
    } catch {
      return false // A key that cannot be decrypted is not known to be the old one.
    }
  }

  /** The key of a managed connection; undefined if it has none. @throws keyRejected if it cannot be decrypted */
  pairOf(record: ConnectionRecord): KeyPair | undefined {
    const { keySecret } = record.variant === 'managed' ? this.unsealed(record) : {}
    return record.keyId === undefined || keySecret === undefined ? undefined : { keyId: record.keyId, keySecret }
  }

  /** Whether a connection leads to an organization with a key. */
  usesPair(record: ConnectionRecord, { baseUrl, organizationId }: OrganizationPlace, pair: KeyPair): boolean {
    if (record.baseUrl !== baseUrl || !isSameUuid(record.organizationId, organizationId)) return false
    try {
      const own = this.pairOf(record)
      return own?.keyId === pair.keyId && own.keySecret === pair.keySecret
    } catch {
      return false // A key that cannot be decrypted is not known to be this one.
    }
  }

  /** The last characters of a secret, by which people recognize it. */
  endOf(record: ConnectionRecord): { secretEnd?: string } {
    try {
      const secret = this.unsealed(record)[secretFieldOf(record.variant)]
      return secret && secret.length >= minShownLength ? { secretEnd: secret.slice(-4) } : {}
    } catch {
      return {} // Requests that need the key report why it cannot be decrypted.
    }
  }
}

/** The secret that connections of a variant have. */
export function secretFieldOf(variant: Entered['variant']): SecretField {
  return variant === 'openSource' ? 'accessKey' : 'keySecret'
}
