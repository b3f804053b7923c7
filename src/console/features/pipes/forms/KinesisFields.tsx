import { useWatch } from 'react-hook-form'
import { DateTimeField } from '#console/ui/form/fields/DateTimeField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { kinesisFormats, kinesisIterators } from '#contract/cloud/pipes/pipeSources.ts'
import { ProtobufSchemaField } from './ProtobufSchemaField.tsx'
import { startPositionLabels } from '../model/valueLabels.ts'
import { fieldProps, plainOptions, secretFieldProps, type PipeFieldsProps } from './fieldProps.ts'

const formatOptions = [
  ...plainOptions(kinesisFormats),
  { value: 'Protobuf', label: 'Protobuf', detail: 'on stacks of Stack Console' },
]

/** Stream, format and start position. */
export function KinesisFields(props: PipeFieldsProps) {
  const [start, format] = useWatch({
    control: props.control,
    name: ['source.kinesis.iteratorType', 'source.kinesis.format'],
  })
  return (
    <FieldGrid>
      <TextField {...fieldProps(props, 'source.kinesis.streamName')} required mono />
      <TextField {...fieldProps(props, 'source.kinesis.region')} required mono placeholder="eu-central-1" />
      <SelectField {...fieldProps(props, 'source.kinesis.format')} options={formatOptions} />
      {format === 'Protobuf' && (
        <ProtobufSchemaField {...fieldProps(props, 'source.kinesis.protobufSchema')} required />
      )}
      <SelectField
        {...fieldProps(props, 'source.kinesis.iteratorType')}
        options={kinesisIterators.map((value) => ({ value, label: startPositionLabels[value] }))}
      />
      {start === 'AT_TIMESTAMP' && <DateTimeField {...fieldProps(props, 'source.kinesis.timestamp')} required />}
      <SwitchField
        {...fieldProps(props, 'source.kinesis.useEnhancedFanOut')}
        help="Dedicated throughput (extra cost)."
      />
    </FieldGrid>
  )
}

/** Credentials of the stream. */
export function KinesisCredentials(props: PipeFieldsProps) {
  const authentication = useWatch({ control: props.control, name: 'source.kinesis.authentication' })
  return (
    <FieldGrid>
      <SelectField
        {...fieldProps(props, 'source.kinesis.authentication')}
        options={[
          { value: 'IAM_ROLE', label: 'IAM role', detail: 'assumed by the deployment' },
          { value: 'IAM_USER', label: 'Access key' },
        ]}
      />
      {authentication === 'IAM_ROLE' && (
        <TextField
          {...fieldProps(props, 'source.kinesis.iamRole')}
          required
          mono
          placeholder="arn:aws:iam::000000000000:role/reader"
        />
      )}
      {authentication === 'IAM_USER' && (
        <>
          <TextField {...secretFieldProps(props, 'source.kinesis.accessKey.accessKeyId')} />
          <TextField {...secretFieldProps(props, 'source.kinesis.accessKey.secretKey')} type="password" />
        </>
      )}
    </FieldGrid>
  )
}
