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
 * The records that deployments return as they are stored, with the fields that no read shows, wherever they are in the body: secrets, what
 * only a creation uses, and orders to change a list.
 */
const unreturned: Partial<Record<string, readonly string[]>> = {
  alerts: [],
  // Roles come back with their names.
  apiKeys: ['assignedRoleIds', 'hashData'],
  dashboards: [],
  pipes: [
    'accessKey',
    'connectionString',
    'credentials',
    'password',
    'protobufSchema',
    'roles',
    'startPaused',
    'tableMappingsToAdd',
    'tableMappingsToRemove',
    'validateSamples',
  ],
  reversePrivateEndpoints: [],
  roles: [],
  savedSearches: [],
  serviceEndpoints: [],
  serviceSchedules: [],
  services: ['backupId'],
  sources: [],
  // The body of incident.io is not returned either.
  webhooks: ['headers', 'queryParams', 'body'],
}

/** The titles of the fields that were sent and are not stored; none for a resource whose responses differ from what is stored. */
export function fieldsNotKept({ resource, sent, stored, titles }: Omit<Saved, 'record'>): string[] {
  const hidden = unreturned[resource]
  if (!hidden) return []
  return droppedFields(sent, stored)
    .filter((path) => !path.split('.').some((step) => hidden.includes(step)))
    .map((path) => titles[path] ?? path)
}

/** Says which fields the deployment did not keep: it responds as if all was saved. */
export function warnOfDropped({ record, ...saved }: Saved): void {
  const names = fieldsNotKept(saved)
  if (names.length === 0) return
  toast({ tone: 'unknown', text: `${record} was saved, but this deployment did not keep: ${names.join(', ')}.` })
}
