/**
 * Texts and JSON in the database: compressed and encrypted (AES-256-GCM), because records of deployments contain credentials.
 * The key is the gateway's data key, which is stored sealed with the key of the data directory: replacing that one does not
 * touch the database.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { stringifyJson } from '#contract/wire/json.ts'
import { readJson } from '#node/upstream/untrustedJson.ts'
import { VaultError } from '#node/secrets/vault.ts'

const nonceLength = 12
const tagLength = 16

/** A text that another one resembles: what both share takes no space. */
export type Dictionary = string | undefined

export class SealedJson {
  readonly #key: Uint8Array

  /** @param key 32 bytes */
  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** A key for another purpose, derived from this one. */
  derivedKey(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', purpose, 32))
  }

  /** @param context what the text belongs to: it cannot be opened in another */
  sealText(context: string, text: string, dictionary?: Dictionary): Uint8Array {
    const nonce = randomBytes(nonceLength)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagLength })
    cipher.setAAD(boundTo(context, dictionary))
    const sealed = cipher.update(deflateRawSync(text, optionsFor(dictionary)))
    return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()])
  }

  /** @throws VaultError for another key, context or dictionary, or damage */
  openText(context: string, bytes: Uint8Array, dictionary?: Dictionary): string {
    try {
      const nonce = bytes.subarray(0, nonceLength)
      const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagLength })
      decipher.setAAD(boundTo(context, dictionary))
      decipher.setAuthTag(bytes.subarray(-tagLength))
      const compressed = [decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]
      return inflateRawSync(Buffer.concat(compressed), optionsFor(dictionary)).toString('utf8')
    } catch (cause) {
      throw new VaultError('An entry of console.db is damaged, or was written with another key.', { cause })
    }
  }

  seal(context: string, value: unknown): Uint8Array {
    return this.sealText(context, stringifyJson(value))
  }

  /** Numbers that JavaScript would change stay as they were. */
  open(context: string, bytes: Uint8Array): unknown {
    return readJson(this.openText(context, bytes))
  }
}

/** Only the end of a dictionary is used: as much as the window of the compression. */
function optionsFor(dictionary: Dictionary) {
  return dictionary === undefined ? {} : { dictionary: Buffer.from(dictionary).subarray(-32_768) }
}

/** With another dictionary the compression would give another text, and no error. */
function boundTo(context: string, dictionary: Dictionary): Buffer {
  if (dictionary === undefined) return Buffer.from(context)
  return Buffer.from(`${context}\0${createHash('sha256').update(dictionary).digest('base64')}`)
}

/**
 * Sealed JSON as text, which every database stores.
 * @param context what the value belongs to: it cannot be opened in another
 */
export function sealText(sealed: SealedJson, context: string, value: unknown): string {
  return Buffer.from(sealed.seal(context, value)).toString('base64')
}

/** @throws VaultError for another key or context, or damage */
export function openText(sealed: SealedJson, context: string, text: string): unknown {
  return sealed.open(context, Buffer.from(text, 'base64'))
}
