/** Ids as deployments spell them: 24 hexadecimal digits for stack resources, UUIDs for the cloud's. */
import { randomBytes } from 'node:crypto'

/** A new id of a stack resource: four bytes of time, eight of chance, so that ids sort by creation to the second. */
export function newObjectId(): string {
  const seconds = Math.floor(Date.now() / 1000)
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex')
}

/** Deployments take 24 hexadecimal digits or any 12 characters for an id: reference 1.5. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-fA-F]{24}$/.test(text) || text.length === 12
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}
