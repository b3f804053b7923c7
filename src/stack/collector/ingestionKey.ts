/** Checks the ingestion key in `authorization`, with or without "Bearer ". */
import { createHash, timingSafeEqual } from 'node:crypto'
import { currentTime } from '#node/clock/wallClock.ts'
import type { AcceptedKey } from '../team/ingestionKeys.ts'

/** One key that never changes. */
export function onlyKey(key: string): () => readonly AcceptedKey[] {
  const keys = [{ key }]
  return () => keys
}

/** @param accepted the keys as they are now: the same list until one of them changes */
export function keyCheck(accepted: () => readonly AcceptedKey[]): (authorization: string | undefined) => boolean {
  let known: readonly AcceptedKey[] = []
  let digests: { digest: Buffer; validUntil: number }[] = []
  return (authorization) => {
    const key = authorization?.replace(/^bearer +/i, '').trim() ?? ''
    if (key === '') return false
    if (accepted() !== known) {
      known = accepted()
      digests = known.map((acceptedKey) => ({
        digest: digest(acceptedKey.key),
        validUntil: acceptedKey.validUntil ?? Number.POSITIVE_INFINITY,
      }))
    }
    const keyDigest = digest(key)
    const now = currentTime()
    // Every key is compared, so that the time is the same for each that is wrong, whatever its length.
    return digests
      .map(({ digest, validUntil }) => timingSafeEqual(keyDigest, digest) && now < validUntil)
      .includes(true)
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
