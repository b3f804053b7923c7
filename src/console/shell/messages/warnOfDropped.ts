import { droppedFields } from '#domain/json/droppedFields.ts'
import { toast } from './toasts.tsx'

interface Saved {
  /** The name of the resource in the contract. */
  resource: string
  /** The record as a person calls it, at the start of a sentence. */
  record: string
  /** The body that was sent, and the record that came back. */
  sent: unknown
  stored: object
  /** Fields as they are called on the screen. */
  titles: Readonly<Record<string, string>>
}

/**
 * The records that deployments return as they are stored, with the fields that no read shows. Those of services and pipes have
 * passwords, and what the deployment sets itself.
 */
const unreturned: Partial<Record<string, readonly string[]>> = {
  alerts: [],
  savedSearches: [],
  sources: [],
  // The body of incident.io is not returned either.
  webhooks: ['headers', 'queryParams', 'body'],
}

/** Says which fields the deployment did not keep: it responds as if all was saved. */
export function warnOfDropped({ resource, record, sent, stored, titles }: Saved): void {
  const hidden = unreturned[resource]
  if (!hidden) return
  const names = droppedFields(sent, stored)
    .filter((path) => !hidden.includes(path.split('.', 1)[0] ?? ''))
    .map((path) => titles[path] ?? path)
  if (names.length === 0) return
  toast({ tone: 'unknown', text: `${record} was saved, but this deployment did not keep: ${names.join(', ')}.` })
}
