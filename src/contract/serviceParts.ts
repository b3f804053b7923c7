/**
 * Parts of a service that other clients read and write and the console has no use for: section 15 of the managed
 * reference, and section 6 of the reference on administration.
 */
import { z } from 'zod'
import { wireNumber } from './kernel.ts'

/** Where a private endpoint is made for. */
export const privateEndpointConfig = z.looseObject({
  endpointServiceId: z.string(),
  privateDnsHostname: z.string(),
})

/** How often backups are made, how long they are kept, and from when on; null is the default. */
export const backupConfiguration = z.looseObject({
  backupPeriodInHours: wireNumber.nullish(),
  backupRetentionPeriodInHours: wireNumber.nullish(),
  backupStartTime: z.string().nullish(),
})

const backupPeriods = [6, 8, 12, 16, 20, 24, 36, 48]
const retentionError = 'must be a multiple of 24 from 24 to 1080'

/** Null goes back to the default. A time to start at means one backup a day. */
export const backupConfigurationInput = z
  .strictObject({
    backupPeriodInHours: z
      .int()
      .refine((hours) => backupPeriods.includes(hours), `must be one of ${backupPeriods.join(', ')}`)
      .nullish(),
    backupRetentionPeriodInHours: z
      .int()
      .refine((hours) => hours >= 24 && hours <= 1080 && hours % 24 === 0, retentionError)
      .nullish(),
    backupStartTime: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time in UTC such as 03:00')
      .nullish(),
  })
  .superRefine(({ backupStartTime, backupPeriodInHours }, context) => {
    if (backupStartTime == null || backupPeriodInHours == null || backupPeriodInHours === 24) return
    context.addIssue({
      code: 'custom',
      path: ['backupPeriodInHours'],
      message: 'must be 24, or left out, where backupStartTime is given',
    })
  })

/** Nothing asks for a password to be made; hashes say which one there shall be. */
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

/** The password, where one was made. */
export const passwordResult = z.looseObject({ password: z.string().optional() })

const tagKey = z
  .string()
  .max(128)
  .regex(/^[\w.-]+$/, 'may hold letters, digits, ".", "_" and "-" only')
const tagValue = z
  .string()
  .max(256)
  .regex(/^[\w.-]*$/, 'may hold letters, digits, ".", "_" and "-" only')

/** Most tags of a service, and of one change. */
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

/** Services with a tag, or with a tag of a value; all of several filters have to fit. */
export const servicesQuery = z.object({ filter: z.union([tagFilter, z.array(tagFilter)]).optional() })
