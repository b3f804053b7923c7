import { useController, useWatch } from 'react-hook-form'
import { DateTimeField } from '#console/ui/form/fields/DateTimeField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NamesField } from '#console/ui/form/fields/NamesField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { kafkaTypeAuthentications, kafkaTypesWithoutSignIn } from '#contract/cloud/pipes/pipeAuthentication.ts'
import { kafkaAuthentications, kafkaFormats, kafkaOffsets, kafkaTypes } from '#contract/cloud/pipes/pipeSources.ts'
import { kafkaTypeLabels, offsetLabels } from '../model/valueLabels.ts'
import { fieldProps, keepsCredentials, plainOptions, secretFieldProps, type PipeFieldsProps } from './fieldProps.ts'
import { ProtobufSchemaField } from './ProtobufSchemaField.tsx'
import { hasOwnSchema, kafkaCredentials } from './sourceBody.ts'

/** Empty for an unknown provider: the deployment decides. */
const authenticationsOf = (type: string): readonly string[] =>
  kafkaTypes.flatMap((kafkaType) => (kafkaType === type ? kafkaTypeAuthentications[kafkaType] : []))

/** An unknown provider may have brokers without sign-in. */
const allowsNoSignIn = (type: string) =>
  kafkaTypesWithoutSignIn.some((other) => other === type) || authenticationsOf(type).length === 0

/** Brokers, topics and format. */
export function KafkaFields(props: PipeFieldsProps) {
  const { offset, format, schemaRegistry } = useWatch({ control: props.control, name: 'source.kafka' })
  const { field: authentication } = useController({ control: props.control, name: 'source.kafka.authentication' })
  return (
    <FieldGrid>
      <SelectField
        {...fieldProps(props, 'source.kafka.type')}
        options={kafkaTypes.map((value) => ({ value, label: kafkaTypeLabels[value] }))}
        onPick={(type) => {
          const [first, ...others] = authenticationsOf(type)
          const { value } = authentication
          const fits = value === 'none' ? allowsNoSignIn(type) : [first, ...others].some((other) => other === value)
          if (first && !fits) authentication.onChange(first)
        }}
      />
      <SelectField {...fieldProps(props, 'source.kafka.format')} options={plainOptions(kafkaFormats)} />
      <TextField
        {...fieldProps(props, 'source.kafka.brokers')}
        required
        mono
        placeholder="broker-1.example:9092,broker-2.example:9092"
        help="Comma-separated list of host:port."
      />
      <TextField {...fieldProps(props, 'source.kafka.topics')} required mono help="Comma-separated list." />
      <TextField
        {...fieldProps(props, 'source.kafka.consumerGroup')}
        mono
        help="Leave empty to generate one from the pipe ID."
      />
      <SelectField
        {...fieldProps(props, 'source.kafka.offset.strategy')}
        options={[
          { value: 'default', label: 'Group offset', detail: 'default' },
          ...kafkaOffsets.map((value) => ({ value, label: offsetLabels[value] })),
        ]}
      />
      {offset.strategy === 'from_timestamp' && (
        <DateTimeField {...fieldProps(props, 'source.kafka.offset.timestamp')} required />
      )}
      <TextField
        {...fieldProps(props, 'source.kafka.schemaRegistry.url')}
        mono
        required={format === 'AvroConfluent'}
        placeholder="https://registry.example"
        help="Cannot be changed later."
      />
      {hasOwnSchema({ format, schemaRegistry }) && (
        <ProtobufSchemaField {...fieldProps(props, 'source.kafka.protobufSchema')} />
      )}
      {schemaRegistry.url !== '' && (
        <>
          <TextField {...fieldProps(props, 'source.kafka.schemaRegistry.credentials.username')} mono />
          <TextField
            {...fieldProps(props, 'source.kafka.schemaRegistry.credentials.password')}
            type="password"
            help="Not shown again after saving."
          />
          <TextField {...fieldProps(props, 'source.kafka.schemaRegistry.caCertificate')} lines={2} mono />
        </>
      )}
    </FieldGrid>
  )
}

const unsupported = 'not supported by this provider'

/** Credentials of the brokers. */
export function KafkaCredentials(props: PipeFieldsProps) {
  const [type, authentication] = useWatch({
    control: props.control,
    name: ['source.kafka.type', 'source.kafka.authentication'],
  })
  const supported = authenticationsOf(type)
  return (
    <FieldGrid>
      <SelectField
        {...fieldProps(props, 'source.kafka.authentication')}
        options={[
          {
            value: 'none',
            label: 'None',
            detail: 'brokers without sign-in',
            ...(!allowsNoSignIn(type) && { disabled: unsupported }),
            ...(props.hasCredentials && { disabled: keepsCredentials }),
          },
          ...kafkaAuthentications.map((value) => ({
            value,
            label: value,
            ...(supported.length > 0 && !supported.includes(value) && { disabled: unsupported }),
          })),
        ]}
      />
      {authentication === 'IAM_ROLE' && (
        <TextField
          {...fieldProps(props, 'source.kafka.iamRole')}
          required
          mono
          placeholder="arn:aws:iam::000000000000:role/reader"
        />
      )}
      {kafkaCredentials({ type, authentication }).map((part) => (
        <TextField
          key={part}
          {...secretFieldProps(props, `source.kafka.credentials.${part}`)}
          {...(['certificate', 'privateKey'].includes(part) ? { lines: 3 } : {})}
          {...(['password', 'secretKey', 'connectionString'].includes(part) ? { type: 'password' as const } : {})}
        />
      ))}
      <TextField
        {...fieldProps(props, 'source.kafka.caCertificate')}
        lines={2}
        mono
        placeholder="-----BEGIN CERTIFICATE-----"
        help="Required if the brokers use a private certificate authority."
      />
      <NamesField
        {...fieldProps(props, 'source.kafka.reversePrivateEndpointIds')}
        help="Optional. Reverse private endpoints to the brokers."
      />
    </FieldGrid>
  )
}
