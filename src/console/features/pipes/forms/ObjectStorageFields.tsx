import { useWatch } from 'react-hook-form'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { readableStorageTypes } from '#contract/cloud/pipes/pipeSourceInputs.ts'
import { compressions, objectStorageFormats } from '#contract/cloud/pipes/pipeSources.ts'
import { storageLabels } from '../model/valueLabels.ts'
import { fieldProps, keepsCredentials, plainOptions, secretFieldProps, type PipeFieldsProps } from './fieldProps.ts'
import { hasDelimiter, isAnonymous, supportsQueue } from './sourceBody.ts'

const addressHelp: Partial<Record<string, string>> = {
  file: 'Path in the folder that the stack can read. Wildcards are supported: orders/*.jsonl.gz',
  http: 'One URL, or several with braces: https://host/part-{1..20}.csv.gz',
}

/** Where the files are and their format. */
export function ObjectStorageFields(props: PipeFieldsProps) {
  const storage = useWatch({ control: props.control, name: 'source.objectStorage' })
  const { type, format } = storage
  return (
    <FieldGrid>
      <SelectField
        {...fieldProps(props, 'source.objectStorage.type')}
        options={readableStorageTypes.map((value) => {
          const [label, detail] = storageLabels[value]
          return { value, label, ...(detail && { detail }) }
        })}
      />
      <SelectField {...fieldProps(props, 'source.objectStorage.format')} options={plainOptions(objectStorageFormats)} />
      <TextField
        {...fieldProps(props, 'source.objectStorage.url')}
        required
        mono
        placeholder={
          type === 'file' ? '/data/events/*.jsonl.gz' : 'https://bucket.s3.eu-central-1.amazonaws.com/*.jsonl.gz'
        }
        help={addressHelp[type] ?? 'Wildcards: * in one folder, ** across folders, {a,b} and {1..20}.'}
      />
      <SelectField
        {...fieldProps(props, 'source.objectStorage.compression')}
        options={compressions.map((value) => ({
          value,
          label: value,
          ...(value === 'auto' && { detail: 'by file extension' }),
        }))}
      />
      {hasDelimiter(format) && (
        <TextField
          {...fieldProps(props, 'source.objectStorage.delimiter')}
          mono
          help="One character. Leave empty for the default of the format."
        />
      )}
      <SwitchField
        {...fieldProps(props, 'source.objectStorage.isContinuous')}
        help="Otherwise the pipe loads the existing files once."
      />
      {supportsQueue(storage) && (
        <TextField
          {...fieldProps(props, 'source.objectStorage.queueUrl')}
          mono
          help="Optional. Without a queue, the pipe polls for new files."
        />
      )}
    </FieldGrid>
  )
}

/** Credentials of the storage. @param hasKey a key or role is stored, which the API can replace but not remove */
export function ObjectStorageCredentials(props: PipeFieldsProps) {
  const [authentication, type] = useWatch({
    control: props.control,
    name: ['source.objectStorage.authentication', 'source.objectStorage.type'],
  })
  const anonymous = isAnonymous(type)
  return (
    <FieldGrid>
      <SelectField
        {...fieldProps(props, 'source.objectStorage.authentication')}
        disabled={props.locked ?? (anonymous ? 'Local files and HTTP URLs need no credentials.' : undefined)}
        options={[
          {
            value: 'none',
            label: 'None (public objects)',
            ...(props.hasCredentials && { disabled: keepsCredentials }),
          },
          { value: 'IAM_USER', label: 'Access key' },
          {
            value: 'IAM_ROLE',
            label: 'IAM role',
            detail: 'assumed by the deployment',
            ...(type !== 's3' && { disabled: 'Amazon S3 only' }),
          },
        ]}
      />
      {authentication === 'IAM_ROLE' && !anonymous && (
        <TextField
          {...fieldProps(props, 'source.objectStorage.iamRole')}
          required
          mono
          placeholder="arn:aws:iam::000000000000:role/reader"
        />
      )}
      {authentication === 'IAM_USER' && !anonymous && (
        <>
          <TextField {...secretFieldProps(props, 'source.objectStorage.accessKey.accessKeyId')} />
          <TextField {...secretFieldProps(props, 'source.objectStorage.accessKey.secretKey')} type="password" />
        </>
      )}
    </FieldGrid>
  )
}
