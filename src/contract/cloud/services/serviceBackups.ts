/** Backups of a service, and when they are made: docs/DEPLOYMENTS.md#parts-of-a-service. */
import { z } from 'zod'
import { openEnum, pathId, resource, wireNumber } from '../../wire/kernel.ts'

const backupStates = ['done', 'error', 'in_progress'] as const

/** A backup. A new service can be created from one that is done. */
const serviceBackup = z.looseObject({
  id: z.string(),
  status: openEnum(backupStates).nullish(),
  serviceId: z.string().nullish(),
  startedAt: z.string().nullish(),
  finishedAt: z.string().nullish(),
  sizeInBytes: wireNumber.nullish(),
  durationInSeconds: wireNumber.nullish(),
  type: openEnum(['full', 'incremental']).nullish(),
  backupName: z.string().nullish(),
  /** Why it failed. Not every deployment says it. */
  statusDetail: z.string().nullish(),
})
export type ServiceBackup = z.infer<typeof serviceBackup>

/** Frequency, retention and start time of backups; null is the default. */
const backupConfiguration = z.looseObject({
  backupPeriodInHours: wireNumber.nullish(),
  backupRetentionPeriodInHours: wireNumber.nullish(),
  backupStartTime: z.string().nullish(),
})
export type BackupConfiguration = z.infer<typeof backupConfiguration>

/** Hours between two backups. */
export const backupPeriods: readonly number[] = [6, 8, 12, 16, 20, 24, 36, 48]
/** Hours that backups are kept, in steps of a day. */
export const backupRetention = { min: 24, max: 1080, step: 24 } as const
const { min, max, step } = backupRetention
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
      .refine((hours) => hours >= min && hours <= max && hours % step === 0, retentionError)
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

/** Clouds whose buckets backups can be copied to. */
export const bucketProviders = ['AWS', 'GCP', 'AZURE'] as const
export type BucketProvider = (typeof bucketProviders)[number]

/** Where backups are copied to. Its secrets are never returned. */
const backupBucket = z.looseObject({
  id: z.string().nullish(),
  bucketProvider: openEnum(bucketProviders).nullish(),
  bucketPath: z.string().nullish(),
  iamRoleArn: z.string().nullish(),
  iamRoleSessionName: z.string().nullish(),
  iamRoleExternalId: z.string().nullish(),
  accessKeyId: z.string().nullish(),
  containerName: z.string().nullish(),
})
export type BackupBucket = z.infer<typeof backupBucket>

const line = z.string().trim().min(1).max(1024)
const bucketPath = line.regex(
  /^(?:https?|s3|gs):\/\/[^\s/]+/,
  'must be an address such as https://bucket.s3.amazonaws.com/path',
)

/** A whole bucket, because its secrets cannot be read back. Each provider has its own fields. */
export const backupBucketInput = z.discriminatedUnion('bucketProvider', [
  z.strictObject({
    bucketProvider: z.literal('AWS'),
    bucketPath,
    iamRoleArn: line.regex(/^arn:[\w-]+:iam::\d{12}:role\/./, 'must be the ARN of a role'),
    iamRoleSessionName: line.regex(/^[\w+=,.@-]{2,64}$/, 'must be 2 to 64 letters, digits or +=,.@-').nullish(),
    /** The external ID that the trust policy of the role requires. Null, or left out, for none; likewise for the session name. */
    iamRoleExternalId: line.nullish(),
  }),
  z.strictObject({ bucketProvider: z.literal('GCP'), bucketPath, accessKeyId: line, secretAccessKey: line }),
  z.strictObject({
    bucketProvider: z.literal('AZURE'),
    containerName: line,
    connectionString: z.string().min(1).max(4096),
  }),
])
export type BackupBucketInput = z.infer<typeof backupBucketInput>

const serviceId = z.object({ serviceId: pathId })
const ofService = { scope: 'organization', variants: ['managed'], params: serviceId } as const
const path = '/services/{serviceId}/backups'
const bucketUrl = '/services/{serviceId}/backupBucket'
const configurationPath = '/services/{serviceId}/backupConfiguration'

export const serviceBackups = resource('serviceBackups', {
  list: { ...ofService, method: 'GET', path, unspecified: true, list: true, result: z.array(serviceBackup) },
  get: {
    ...ofService,
    method: 'GET',
    path: `${path}/{backupId}`,
    unspecified: true,
    params: z.object({ serviceId: pathId, backupId: pathId }),
    result: serviceBackup,
  },
  /** An operation of this stack: clouds only make backups by their configuration. */
  create: {
    ...ofService,
    method: 'POST',
    path,
    unspecified: true,
    body: z.strictObject({}).optional(),
    result: serviceBackup,
  },
  configuration: {
    ...ofService,
    method: 'GET',
    path: configurationPath,
    unspecified: true,
    record: { volatile: [] },
    result: backupConfiguration,
  },
  configure: {
    ...ofService,
    method: 'PATCH',
    path: configurationPath,
    unspecified: true,
    body: backupConfigurationInput,
    stored: { unreturned: [] },
    result: backupConfiguration,
  },
  /** 404 without one. */
  bucket: {
    ...ofService,
    method: 'GET',
    path: bucketUrl,
    unspecified: true,
    feature: 'backup buckets',
    record: { volatile: [] },
    result: backupBucket,
  },
  createBucket: {
    ...ofService,
    method: 'POST',
    path: bucketUrl,
    unspecified: true,
    feature: 'backup buckets',
    body: backupBucketInput,
    stored: { unreturned: ['secretAccessKey', 'connectionString'] },
    result: backupBucket,
  },
  updateBucket: {
    ...ofService,
    method: 'PATCH',
    path: bucketUrl,
    unspecified: true,
    feature: 'backup buckets',
    body: backupBucketInput,
    stored: { unreturned: ['secretAccessKey', 'connectionString'] },
    result: backupBucket,
  },
  deleteBucket: {
    ...ofService,
    method: 'DELETE',
    path: bucketUrl,
    unspecified: true,
    feature: 'backup buckets',
    result: z.unknown(),
  },
})
