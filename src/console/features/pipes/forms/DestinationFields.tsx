import { useWatch } from 'react-hook-form'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NamesField } from '#console/ui/form/NamesField.tsx'
import { PickField } from '#console/ui/form/PickField.tsx'
import { SelectField } from '#console/ui/form/SelectField.tsx'
import { SwitchField } from '#console/ui/form/SwitchField.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { storageEngines } from '#contract/pipeInputs.ts'
import { fieldProps, plainOptions, type PipeFieldsProps } from './fieldProps.ts'

const tableEngineLabels: Record<(typeof storageEngines)[number], string> = {
  MergeTree: 'keeps every row',
  ReplacingMergeTree: 'keeps the row with the highest version of each key',
  SummingMergeTree: 'adds up the rows of each key',
  Null: 'keeps nothing: for views that read what passes',
}

/** Where the rows go, and how the table is made where the pipe makes it. */
export function DestinationFields({ isDatabase, ...props }: PipeFieldsProps & { isDatabase: boolean }) {
  const [managed, engine, columns] = useWatch({
    control: props.control,
    name: ['destination.managedTable', 'destination.tableDefinition.engine.type', 'destination.columns'],
  })
  const names = columns.map(({ name }) => name).filter((name) => name !== '')
  if (isDatabase) {
    return (
      <FieldGrid>
        <TextField {...fieldProps(props, 'destination.database')} mono help="The tables are made in it." />
      </FieldGrid>
    )
  }
  return (
    <FieldGrid>
      <TextField {...fieldProps(props, 'destination.database')} mono />
      <TextField {...fieldProps(props, 'destination.table')} required mono placeholder="events" />
      <SwitchField
        {...fieldProps(props, 'destination.managedTable')}
        help="Otherwise the table has to be there, with these columns."
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
              help="Of two rows with the same key, the higher one stays."
            />
          )}
          {engine === 'SummingMergeTree' && (
            <NamesField
              {...fieldProps(props, 'destination.tableDefinition.engine.columnIds')}
              options={names}
              placeholder="all numbers"
            />
          )}
          {engine !== 'Null' && (
            <>
              <NamesField
                {...fieldProps(props, 'destination.tableDefinition.sortingKey')}
                required={engine === 'ReplacingMergeTree'}
                options={names}
                help="Columns that queries filter by, the coarsest first."
              />
              <TextField
                {...fieldProps(props, 'destination.tableDefinition.partitionBy')}
                mono
                placeholder="toYYYYMM(at)"
                help="Optional. Few partitions are better than many."
              />
              <TextField
                {...fieldProps(props, 'destination.tableDefinition.primaryKey')}
                mono
                placeholder="the sorting key"
                help="Optional. A beginning of the sorting key."
              />
            </>
          )}
        </>
      )}
    </FieldGrid>
  )
}
