/** Key IDs and secrets that the gateway makes. The deployment gets their hashes, so that no response has a secret. */
import { createHash, randomInt } from 'node:crypto'
import type { KeyPair } from '../connections/connectionSecrets.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const suffixLength = 4

/** @param taken endings of key IDs that the new one must not have */
export function newKeyPair(taken: ReadonlySet<string>): KeyPair {
  for (;;) {
    const keyId = randomText(20)
    if (!taken.has(suffixOf(keyId))) return { keyId, keySecret: randomText(40) }
  }
}

export function suffixOf(keyId: string): string {
  return keyId.slice(-suffixLength)
}

/** `hashData` of a new key: the base64 of SHA-256. */
export function hashesOf({ keyId, keySecret }: KeyPair) {
  return { keyIdHash: hashOf(keyId), keyIdSuffix: suffixOf(keyId), keySecretHash: hashOf(keySecret) }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

function randomText(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
}
