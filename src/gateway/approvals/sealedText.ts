/** Sealed JSON as text, which every database stores. */
import type { SealedJson } from '../database/sealedJson.ts'

/** @param context what the value belongs to: it cannot be opened in another */
export function sealText(sealed: SealedJson, context: string, value: unknown): string {
  return Buffer.from(sealed.seal(context, value)).toString('base64')
}

/** @throws VaultError for another key or context, or damage */
export function openText(sealed: SealedJson, context: string, text: string): unknown {
  return sealed.open(context, Buffer.from(text, 'base64'))
}
