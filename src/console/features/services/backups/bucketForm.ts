/** The form of a backup bucket: each provider has fields of its own. */
import { z } from 'zod'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import {
  backupBucketInput,
  serviceBackups,
  type BackupBucket,
  type BackupBucketInput,
  type BucketProvider,
} from '#contract/cloud/services/serviceBackups.ts'
import type { PartModel } from '../parts/servicePart.ts'

export type BucketForm = {
  provider: BucketProvider
  bucketPath: string
  iamRoleArn: string
  iamRoleSessionName: string
  accessKeyId: string
  secretAccessKey: string
  containerName: string
  connectionString: string
}

type TextField = Exclude<keyof BucketForm, 'provider'>

/** The fields of each provider. */
export const providerFields: Record<BucketProvider, readonly TextField[]> = {
  AWS: ['bucketPath', 'iamRoleArn', 'iamRoleSessionName'],
  GCP: ['bucketPath', 'accessKeyId', 'secretAccessKey'],
  AZURE: ['containerName', 'connectionString'],
}

export const providerLabels: Record<BucketProvider, string> = {
  AWS: 'Amazon S3',
  GCP: 'Google Cloud Storage',
  AZURE: 'Azure Blob Storage',
}

/** They are sent with every save and never read. */
export const bucketSecrets: readonly TextField[] = ['secretAccessKey', 'connectionString']

const titles: Record<keyof BucketForm, string> = {
  provider: 'Provider',
  bucketPath: 'Bucket path',
  iamRoleArn: 'IAM role ARN',
  iamRoleSessionName: 'Role session name',
  accessKeyId: 'Access key ID',
  secretAccessKey: 'Secret access key',
  containerName: 'Container',
  connectionString: 'Connection string',
}

const isKnown = (provider: string | null | undefined): provider is BucketProvider =>
  Object.keys(providerFields).includes(provider ?? '')

/** The body: only the fields of the provider, without empty ones. */
export function bucketBody(form: BucketForm): BackupBucketInput {
  const fields = providerFields[form.provider].map((field) => [field, form[field].trim()])
  const filled = fields.filter(([, value]) => value !== '')
  return { bucketProvider: form.provider, ...Object.fromEntries(filled) } as BackupBucketInput // checked by `schema`
}

const schema: z.ZodType<BucketForm, BucketForm> = z.custom<BucketForm>().superRefine((form, context) => {
  for (const issue of backupBucketInput.safeParse(bucketBody(form)).error?.issues ?? []) {
    context.addIssue({ code: 'custom', path: [...issue.path], message: formatIssue(issue) })
  }
})

export const bucketModel: PartModel<BackupBucket, BucketForm> = {
  noun: 'backup bucket',
  endpoint: serviceBackups.bucket,
  titles,
  secrets: bucketSecrets,
  read: (stored) => ({
    provider: isKnown(stored?.bucketProvider) ? stored.bucketProvider : 'AWS',
    bucketPath: stored?.bucketPath ?? '',
    iamRoleArn: stored?.iamRoleArn ?? '',
    iamRoleSessionName: stored?.iamRoleSessionName ?? '',
    accessKeyId: stored?.accessKeyId ?? '',
    secretAccessKey: '',
    containerName: stored?.containerName ?? '',
    connectionString: '',
  }),
  schema,
  formatValue: (field, form) => {
    if (field === 'provider') return providerLabels[form.provider]
    return bucketSecrets.includes(field) ? form[field] && 'a new secret' : form[field]
  },
  wireNames: { provider: 'bucketProvider' },
}
