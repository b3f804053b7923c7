/** Parts of a service that are shared by its endpoints: passwords, tags and what a new one has. */
import { z } from 'zod'

/** An empty body generates a password; hashes set a given one. */
export const passwordInput = z.strictObject({
  newPasswordHash: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be the base64 of a SHA-256 hash')
    .optional(),
  newDoubleSha1Hash: z
    .string()
    .regex(/^[\da-f]{40}$/i, 'must be a SHA-1 hash in hexadecimal')
    .optional(),
})

/** The password, if it was generated: it is returned only this once. */
export const passwordResult = z.looseObject({ password: z.string().optional() })

const tagKey = z
  .string()
  .max(128)
  .regex(/^[\w.-]+$/, 'may hold letters, digits, ".", "_" and "-" only')
const tagValue = z
  .string()
  .max(256)
  .regex(/^[\w.-]*$/, 'may hold letters, digits, ".", "_" and "-" only')

/** Maximum number of tags of a service, and of one change. */
export const maxTags = 50

export const tagsInput = z.strictObject({
  add: z
    .array(z.strictObject({ key: tagKey, value: tagValue.optional() }))
    .max(maxTags)
    .optional(),
  remove: z
    .array(z.strictObject({ key: tagKey, value: tagValue.optional() }))
    .max(maxTags)
    .optional(),
})

const tagFilter = z.string().regex(/^tag:[\w.-]+(?:=[\w.-]*)?$/, 'must be tag:Key or tag:Key=Value')

/** Filters by a tag of a service, or by the value of a tag. All filters must match. */
export const tagFilters = z.union([tagFilter, z.array(tagFilter)]).optional()

export const servicesQuery = z.object({ filter: tagFilters })
