/** API keys of an organization: docs/DEPLOYMENTS.md#keys-members-roles. */
import { z } from 'zod'
import { openEnum, pathId, resource } from '../../wire/kernel.ts'
import { ipSource } from '../services/services.ts'

const apiKeyStates = ['enabled', 'disabled'] as const

/** The roles before custom roles existed. Each stands for a system role. */
const deprecatedKeyRoles = ['admin', 'developer', 'query_endpoints'] as const

/** The maximum number of keys of an organization. */
export const maxApiKeys = 100

export const assignedRole = z.looseObject({
  roleId: z.string(),
  roleName: z.string().nullish(),
  roleType: openEnum(['system', 'custom']).nullish(),
})

const accessEntry = z.looseObject({ source: z.string(), description: z.string().nullish() })

/** A key in responses: never its ID and secret, of which only the last characters of the ID are shown. */
const apiKey = z.looseObject({
  id: z.string(),
  name: z.string(),
  state: openEnum(apiKeyStates).nullish(),
  roles: z.array(z.string()).nullish(),
  assignedRoles: z.array(assignedRole).nullish(),
  keySuffix: z.string().nullish(),
  createdAt: z.string().nullish(),
  /** Null for never. */
  expireAt: z.string().nullish(),
  /** To the minute; absent if the key was never used. */
  usedAt: z.string().nullish(),
  ipAccessList: z.array(accessEntry).nullish(),
})
export type ApiKey = z.infer<typeof apiKey>

const sha256 = z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be the base64 of a SHA-256 hash')

/** IDs of roles, each once. */
export const roleIds = z
  .array(z.guid())
  .max(50)
  .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))])

/** The writable fields. Lists replace what was there. */
const shared = {
  /** Null for never. A time in the past ends the key at once. */
  expireAt: z.iso.datetime({ offset: true }).nullable().optional(),
  state: z.enum(apiKeyStates).optional(),
  roles: z.array(z.enum(deprecatedKeyRoles)).max(10).optional(),
  assignedRoleIds: roleIds.optional(),
  /** From where the key may be used. An empty list is nowhere. Default of a new key: anywhere. */
  ipAccessList: z
    .array(z.strictObject({ source: ipSource, description: z.string().max(256).optional() }))
    .max(100)
    .optional(),
}
const name = z.string().trim().min(1).max(256)

/** Hashes of an ID and a secret that the client made: they are never sent. */
const hashData = z.strictObject({ keyIdHash: sha256, keyIdSuffix: z.string().length(4), keySecretHash: sha256 })

export const apiKeyInput = z.strictObject({ name, ...shared, hashData: hashData.optional() })
export const apiKeyUpdate = z.strictObject({ name: name.optional(), ...shared })

/** ID and secret are returned once, and only if the deployment made them. */
const createdApiKey = z.looseObject({
  key: apiKey,
  keyId: z.string().optional(),
  keySecret: z.string().optional(),
})
export type CreatedApiKey = z.infer<typeof createdApiKey>

const record = { volatile: ['usedAt'] } as const
/** Roles come back with their names. */
const unreturned = ['assignedRoleIds', 'hashData']
const ofOrganization = { scope: 'organization', variants: ['managed'] } as const
const params = z.object({ apiKeyId: pathId })
const path = '/keys/{apiKeyId}'

export const apiKeys = resource('apiKeys', {
  list: { ...ofOrganization, method: 'GET', path: '/keys', record, list: true, result: z.array(apiKey) },
  get: { ...ofOrganization, method: 'GET', path, params, record, result: apiKey },
  create: {
    ...ofOrganization,
    method: 'POST',
    path: '/keys',
    body: apiKeyInput,
    shownOnce: ['keySecret'],
    stored: { at: 'key', unreturned },
    result: createdApiKey,
  },
  update: {
    ...ofOrganization,
    method: 'PATCH',
    path,
    params,
    body: apiKeyUpdate,
    stored: { unreturned },
    result: apiKey,
  },
  delete: { ...ofOrganization, method: 'DELETE', path, params, result: z.unknown() },
})
