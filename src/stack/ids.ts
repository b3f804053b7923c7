/** Ids as deployments have them: 24 hexadecimal digits for stack resources, UUIDs for the cloud's. */
import { randomBytes } from 'node:crypto'
import { currentTime } from '#node/clock/wallClock.ts'

/** A new id of a stack resource: four bytes of time and eight random bytes, so that ids sort by creation time. */
export function newObjectId(): string {
  const seconds = Math.floor(currentTime() / 1000)
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex')
}

/** Deployments accept 24 hexadecimal digits or any 12 characters as an id: docs/DEPLOYMENTS.md#ids. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-fA-F]{24}$/.test(text) || text.length === 12
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}
