import { useQuery } from '@tanstack/react-query'
import { call } from '#console/api/call.ts'
import { ignoreNotFound } from '#console/api/ignoreNotFound.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Input } from '#contract/wire/kernel.ts'
import { bucketProviders, serviceBackups, type BackupBucket } from '#contract/cloud/services/serviceBackups.ts'
import { PartForm } from '../parts/PartForm.tsx'
import { PartLoader } from '../parts/PartLoader.tsx'
import { useServicePart } from '../parts/servicePart.ts'
import { bucketBody, bucketModel, bucketSecrets, providerFields, providerLabels } from './bucketForm.ts'

const placeholders: Readonly<Record<string, string>> = {
  bucketPath: 'https://my-bucket.s3.amazonaws.com/backups',
  iamRoleArn: 'arn:aws:iam::123456789012:role/backups',
}

/** The bucket of their own that an organization's backups are copied to. */
export function BucketPanel({ serviceId }: { serviceId: string }) {
  const connection = useConnection()
  const read = useQuery(q(connection.id, serviceBackups.bucket, { params: { serviceId } }))
  return (
    <PartLoader title="Backup bucket" read={read} mayBeUnset height={200}>
      {(bucket) => <BucketFields serviceId={serviceId} bucket={bucket} />}
    </PartLoader>
  )
}

function BucketFields({ serviceId, bucket }: { serviceId: string; bucket: BackupBucket | null }) {
  const connection = useConnection()
  const params = { serviceId }
  const part = useServicePart({
    model: bucketModel,
    serviceId,
    stored: bucket,
    write: (form, base) => {
      // The body of one provider, which the compiler does not know: the form has chosen it.
      const input = { params, body: bucketBody(form) }
      const { createBucket, updateBucket } = serviceBackups
      const record = 'The backup bucket'
      if (base) return call(connection.id, updateBucket, input as Input<typeof updateBucket>, { base, record })
      return call(connection.id, createBucket, input as Input<typeof createBucket>, { record })
    },
  })
  const { form, values } = part
  const locked = lockReason(connection)
  return (
    <PartForm
      title="Backup bucket"
      aside={bucket ? undefined : 'Not set'}
      part={part}
      submitLabel={bucket ? 'Save bucket' : 'Set bucket'}
      actions={bucket && <RemoveBucket serviceId={serviceId} bucket={bucket} />}
      note={bucket && 'Secrets cannot be read back: enter them again with every change.'}
    >
      <Notice tone="info">
        A local stack stores the bucket, and encrypts its secret. It does not copy backups there.
      </Notice>
      <FieldGrid>
        <SelectField
          control={form.control}
          name="provider"
          label={bucketModel.titles.provider}
          options={bucketProviders.map((value) => ({ value, label: providerLabels[value] }))}
          disabled={locked ?? (bucket ? 'Remove the bucket to use another provider.' : undefined)}
        />
        {providerFields[values.provider].map((field) => (
          <TextField
            key={field}
            control={form.control}
            name={field}
            label={bucketModel.titles[field]}
            required={field !== 'iamRoleSessionName'}
            mono
            disabled={locked}
            {...(bucketSecrets.includes(field)
              ? { type: 'password', help: bucket ? 'Stored. Enter it again to save a change.' : 'Never shown again.' }
              : { placeholder: placeholders[field] ?? '' })}
          />
        ))}
      </FieldGrid>
    </PartForm>
  )
}

function RemoveBucket({ serviceId, bucket }: { serviceId: string; bucket: BackupBucket }) {
  const connection = useConnection()
  const locked = lockReason(connection)
  const remove = async () => {
    const sure = await confirm({
      title: 'Remove backup bucket?',
      body: 'New backups are no longer copied there. What is in the bucket stays. Its credentials are deleted here.',
      action: 'Remove bucket',
      danger: true,
    })
    if (!sure) return
    const params = { serviceId }
    await runWithToast(
      () => ignoreNotFound(call(connection.id, serviceBackups.deleteBucket, { params }, { base: bucket })),
      'Backup bucket removed',
    )
    await invalidate(connection.id, 'serviceBackups')
  }
  return (
    <DisabledReason reason={locked}>
      <Button
        disabled={locked !== undefined}
        style={{ color: locked === undefined ? 'var(--bad)' : undefined }}
        onClick={() => void remove()}
      >
        Remove bucket
      </Button>
    </DisabledReason>
  )
}
