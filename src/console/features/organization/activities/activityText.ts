/** An entry of the activity log as a person reads it. */
import { capitalized } from '#domain/text/words.ts'
import type { Activity } from '#contract/cloud/organization/activities.ts'

/** Types whose words do not say enough. */
const texts: Readonly<Record<string, string>> = {
  key_create: 'API key created',
  key_delete: 'API key deleted',
  openapi_key_update: 'API key changed',
  organization_invite_create: 'Member invited',
  organization_invite_delete: 'Invitation withdrawn',
  organization_member_delete: 'Member removed',
  organization_member_update_roles: 'Roles of a member changed',
}

/** The changed properties of keys. */
const details: Readonly<Record<string, string>> = {
  'name-changed': 'name',
  'role-changed': 'roles',
  'roles-v2-changed': 'roles',
  'state-changed': 'state',
  'date-changed': 'expiry',
  'ip-access-list-changed': 'addresses',
}

/** The participle for the last word of a type. */
const operations: Readonly<Record<string, string>> = { create: 'created', update: 'changed', delete: 'deleted' }

/** "API key changed: expiry"; the words of the type where it is not known. */
export function activityText({ type, keyUpdateType }: Pick<Activity, 'type' | 'keyUpdateType'>): string {
  const words = type.split('_')
  const last = words.at(-1) ?? ''
  const text = texts[type] ?? capitalized([...words.slice(0, -1), operations[last] ?? last].join(' '))
  const detail = details[keyUpdateType ?? '']
  return detail ? `${text}: ${detail}` : text
}
