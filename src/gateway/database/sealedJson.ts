/**
 * JSON in the database: compressed and encrypted (AES-256-GCM), because records of deployments contain credentials. The key
 * is the gateway's data key, which is stored sealed with the key of the data directory: replacing that one does not touch
 * the database.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { stringifyJson } from '#contract/json.ts'
import { readJson } from '#node/upstream/untrustedJson.ts'
import { VaultError } from '#node/vault.ts'

const nonceLength = 12
const tagLength = 16

export class SealedJson {
  /** @param key 32 bytes */
  constructor(private readonly key: Uint8Array) {}

  /** @param context what the value belongs to: it cannot be opened in another */
  seal(context: string, value: unknown): Uint8Array {
    const nonce = randomBytes(nonceLength)
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce, { authTagLength: tagLength })
    cipher.setAAD(Buffer.from(context))
    const text = cipher.update(deflateRawSync(stringifyJson(value)))
    return Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()])
  }

  /** Numbers that JavaScript would change stay as they were. @throws VaultError for another key or context, or damage */
  open(context: string, bytes: Uint8Array): unknown {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, nonceLength), {
        authTagLength: tagLength,
      })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(-tagLength))
      const text = decipher.update(bytes.subarray(nonceLength, -tagLength))
      return readJson(inflateRawSync(Buffer.concat([text, decipher.final()])).toString('utf8'))
    } catch (cause) {
      throw new VaultError('An entry of console.db is damaged, or was written with another key.', { cause })
    }
  }
}
