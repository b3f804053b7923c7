/** Which revision of a record was read: kept beside the records, because what is in them goes back to the deployment. */
import { replaceEqualDeep } from '@tanstack/react-query'

const revisions = new WeakMap<object, string>()

/** Sent for a record whose revision is not known: nothing stored has it, so the answer tells what is stored. */
const unknownRevision = 'unknown'

/** Notes the revision that a record was read with. */
export function noteRevision(record: unknown, revision: string | undefined): void {
  if (revision !== undefined && isObject(record)) revisions.set(record, revision)
}

/** What a write that starts from a record names as its base. */
export function revisionOf(record: object): string {
  return revisions.get(record) ?? unknownRevision
}

/** A copy of a record with more in it, which stands for the same revision. */
export function sameRevision<T extends object>(original: object, copy: T): T {
  noteRevision(copy, revisions.get(original))
  return copy
}

/** What was read last, in the objects of the read before where they are equal, each with the revision of the last. */
export function sharedWithRevisions(before: unknown, now: unknown): unknown {
  const shared: unknown = replaceEqualDeep(before, now)
  carry(now, shared)
  if (Array.isArray(now) && Array.isArray(shared)) now.forEach((record, at) => carry(record, shared[at]))
  return shared
}

function carry(from: unknown, to: unknown): void {
  if (isObject(from) && isObject(to)) sameRevision(from, to)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
