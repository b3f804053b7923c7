import { useWatch } from 'react-hook-form'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { postgresTypes, replicationModes } from '#contract/cloud/pipes/pipeSources.ts'
import { replicationModeLabels } from '../model/valueLabels.ts'
import { fieldProps, plainOptions, secretFieldProps, type PipeFieldsProps } from './fieldProps.ts'

/** The database server. @param isNew includes fields that are fixed at creation */
export function PostgresServer({ isNew = false, ...props }: PipeFieldsProps & { isNew?: boolean }) {
  return (
    <FieldGrid>
      {isNew && <SelectField {...fieldProps(props, 'source.postgres.type')} options={plainOptions(postgresTypes)} />}
      <TextField {...fieldProps(props, 'source.postgres.host')} required mono placeholder="db.example" />
      <NumberField {...fieldProps(props, 'source.postgres.port')} help="1 to 65535." />
      {isNew && <TextField {...fieldProps(props, 'source.postgres.database')} required mono />}
    </FieldGrid>
  )
}

export function PostgresCredentials(props: PipeFieldsProps) {
  return (
    <FieldGrid>
      <TextField {...secretFieldProps(props, 'source.postgres.credentials.username')} />
      <TextField
        {...secretFieldProps(props, 'source.postgres.credentials.password')}
        required={false}
        type="password"
      />
    </FieldGrid>
  )
}

/** Replication options. An empty number is the deployment's default. */
export function PostgresReplication({ isNew = false, ...props }: PipeFieldsProps & { isNew?: boolean }) {
  const mode = useWatch({ control: props.control, name: 'source.postgres.settings.replicationMode' })
  const count = { placeholder: 'default' }
  return (
    <FieldGrid>
      {isNew && (
        <SelectField
          {...fieldProps(props, 'source.postgres.settings.replicationMode')}
          options={replicationModes.map((value) => {
            const [label, detail] = replicationModeLabels[value]
            return { value, label, detail }
          })}
        />
      )}
      {isNew && mode === 'cdc_only' && (
        <TextField {...fieldProps(props, 'source.postgres.settings.replicationSlotName')} mono />
      )}
      <NumberField {...fieldProps(props, 'source.postgres.settings.syncIntervalSeconds')} {...count} unit="s" />
      <NumberField {...fieldProps(props, 'source.postgres.settings.pullBatchSize')} {...count} unit="rows" />
      {isNew && (
        <>
          <NumberField {...fieldProps(props, 'source.postgres.settings.initialLoadParallelism')} {...count} />
          <NumberField {...fieldProps(props, 'source.postgres.settings.snapshotNumberOfParallelTables')} {...count} />
          <NumberField
            {...fieldProps(props, 'source.postgres.settings.snapshotNumRowsPerPartition')}
            {...count}
            help="At least 1000."
          />
          <TextField
            {...fieldProps(props, 'source.postgres.settings.publicationName')}
            mono
            help="Leave empty to create one."
          />
          <SwitchField {...fieldProps(props, 'source.postgres.settings.allowNullableColumns')} />
          <SwitchField
            {...fieldProps(props, 'source.postgres.settings.enableFailoverSlots')}
            help="PostgreSQL 17 or newer."
          />
        </>
      )}
    </FieldGrid>
  )
}
