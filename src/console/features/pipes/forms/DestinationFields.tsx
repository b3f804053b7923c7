import { useWatch } from 'react-hook-form'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NamesField } from '#console/ui/form/fields/NamesField.tsx'
import { PickField } from '#console/ui/form/fields/PickField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { storageEngines } from '#contract/cloud/pipes/pipeInputs.ts'
import { fieldProps, plainOptions, type PipeFieldsProps } from './fieldProps.ts'

const tableEngineLabels: Record<(typeof storageEngines)[number], string> = {
  MergeTree: 'keeps all rows',
  ReplacingMergeTree: 'keeps the latest version of each key',
  SummingMergeTree: 'sums the rows of each key',
  Null: 'stores nothing; for materialized views',
}

/** The destination table and, if the pipe creates it, its definition. */
export function DestinationFields({ isDatabase, ...props }: PipeFieldsProps & { isDatabase: boolean }) {
  const [managed, engine, columns] = useWatch({
    control: props.control,
    name: ['destination.managedTable', 'destination.tableDefinition.engine.type', 'destination.columns'],
  })
  const names = columns.map(({ name }) => name).filter((name) => name !== '')
  if (isDatabase) {
    return (
      <FieldGrid>
        <TextField {...fieldProps(props, 'destination.database')} mono help="Tables are created in this database." />
      </FieldGrid>
    )
  }
  return (
    <FieldGrid>
      <TextField {...fieldProps(props, 'destination.database')} mono />
      <TextField {...fieldProps(props, 'destination.table')} required mono placeholder="events" />
      <SwitchField
        {...fieldProps(props, 'destination.managedTable')}
        help="The pipe creates the table. Otherwise it must exist with these columns."
      />
      {managed && (
        <>
          <SelectField
            {...fieldProps(props, 'destination.tableDefinition.engine.type')}
            options={storageEngines.map((value) => ({ value, label: value, detail: tableEngineLabels[value] }))}
          />
          {engine === 'ReplacingMergeTree' && (
            <PickField
              {...fieldProps(props, 'destination.tableDefinition.engine.versionColumnId')}
              required
              options={plainOptions(names)}
              help="For each key, the row with the highest version is kept."
            />
          )}
          {engine === 'SummingMergeTree' && (
            <NamesField
              {...fieldProps(props, 'destination.tableDefinition.engine.columnIds')}
              options={names}
              placeholder="all numeric columns"
            />
          )}
          {engine !== 'Null' && (
            <>
              <NamesField
                {...fieldProps(props, 'destination.tableDefinition.sortingKey')}
                required={engine === 'ReplacingMergeTree'}
                options={names}
                help="Columns that queries filter by, lowest cardinality first."
              />
              <TextField
                {...fieldProps(props, 'destination.tableDefinition.partitionBy')}
                mono
                placeholder="toYYYYMM(at)"
                help="Optional. Keep the number of partitions low."
              />
              <TextField
                {...fieldProps(props, 'destination.tableDefinition.primaryKey')}
                mono
                placeholder="same as the sorting key"
                help="Optional. A prefix of the sorting key."
              />
            </>
          )}
        </>
      )}
    </FieldGrid>
  )
}
