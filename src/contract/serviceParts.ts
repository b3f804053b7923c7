/**
 * Parts of a service that other clients use and the console does not: section 15 of the managed reference, and section 6
 * of the reference on administration.
 */
import { z } from 'zod'
import { wireNumber } from './kernel.ts'

/** The target of a private endpoint. */
export const privateEndpointConfig = z.looseObject({
  endpointServiceId: z.string(),
  privateDnsHostname: z.string(),
})

/** Frequency, retention and start time of backups; null is the default. */
export const backupConfiguration = z.looseObject({
  backupPeriodInHours: wireNumber.nullish(),
  backupRetentionPeriodInHours: wireNumber.nullish(),
  backupStartTime: z.string().nullish(),
})

const backupPeriods = [6, 8, 12, 16, 20, 24, 36, 48]
const retentionError = 'must be a multiple of 24 from 24 to 1080'

/** Null restores the default. A start time means one backup a day. */
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

/** The password, if it was generated. */
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

/** Filters services by a tag, or by the value of a tag. All filters must match. */
export const servicesQuery = z.object({ filter: z.union([tagFilter, z.array(tagFilter)]).optional() })
