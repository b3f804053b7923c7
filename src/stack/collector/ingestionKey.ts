/** Checks the ingestion key in `authorization`, with or without "Bearer ". */
import { createHash, timingSafeEqual } from 'node:crypto'

/** A check that takes the same time for every wrong key, whatever its length. */
export function keyCheck(ingestionKey: string): (authorization: string | undefined) => boolean {
  const wanted = digest(ingestionKey)
  return (authorization) => {
    const key = authorization?.replace(/^bearer +/i, '').trim() ?? ''
    return key !== '' && timingSafeEqual(digest(key), wanted)
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
