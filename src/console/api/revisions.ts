/**
 * The revisions of records as they were read. Stored beside the records, whose fields are sent back to the
 * deployment.
 */
import { replaceEqualDeep } from '@tanstack/react-query'

const revisions = new WeakMap<object, string>()

/** Sent for a record without a known revision. It never matches, so the response contains the stored record. */
const unknownRevision = 'unknown'

/** Notes the revision that a record was read with. */
export function noteRevision(record: unknown, revision: string | undefined): void {
  if (revision !== undefined && isObject(record)) revisions.set(record, revision)
}

/** The base revision of a write that starts from a record. */
export function revisionOf(record: object): string {
  return revisions.get(record) ?? unknownRevision
}

/** Gives a copy of a record the revision of the original. */
export function sameRevision<T extends object>(original: object, copy: T): T {
  noteRevision(copy, revisions.get(original))
  return copy
}

/** The latest data. Objects equal to those of the previous read are reused, with the new revision. */
export function sharedWithRevisions(before: unknown, now: unknown): unknown {
  const shared: unknown = replaceEqualDeep(before, now)
  carryRevisions(now, shared)
  if (Array.isArray(now) && Array.isArray(shared)) now.forEach((record, at) => carryRevisions(record, shared[at]))
  return shared
}

function carryRevisions(from: unknown, to: unknown): void {
  if (isObject(from) && isObject(to)) sameRevision(from, to)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
