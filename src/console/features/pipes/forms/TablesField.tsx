import { useFieldArray, useFormState, useWatch } from 'react-hook-form'
import { NamesField } from '#console/ui/form/fields/NamesField.tsx'
import { RowList } from '#console/ui/form/RowList.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { sameValue } from '#console/ui/form/values.ts'
import { databaseTableEngines } from '#contract/cloud/pipes/pipeSources.ts'
import { plainOptions, type PipeFieldsProps } from './fieldProps.ts'
import { emptyTable, type TableRow } from './pipeForm.ts'
import { formatTables } from './updateBody.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from '../create/newPipe.module.css'

const path = 'source.postgres.tableMappings'

/** The table mappings. @param stored existing mappings: they can be removed but not changed */
export function TablesField({ control, locked, stored = [] }: PipeFieldsProps & { stored?: readonly TableRow[] }) {
  const { fields, append, remove } = useFieldArray({ control, name: path })
  const rows = useWatch({ control, name: path })
  const { errors } = useFormState({ control, name: path })
  const error = errors.source?.postgres?.tableMappings
  return (
    <RowList
      ids={fields.map(({ id }) => id)}
      itemName="Table"
      addLabel="Add table"
      nameOf={(at) => rows[at]?.sourceTable ?? ''}
      template="repeat(3, minmax(0, 1fr))"
      error={error?.root?.message ?? error?.message}
      locked={locked}
      onAdd={() => append(emptyTable)}
      onRemove={remove}
      renderRow={(at) => {
        const row = rows[at]
        if (row && stored.some((tableRow) => sameValue(tableRow, row))) return <StoredTable row={row} />
        const shared = { control, disabled: locked } as const
        return (
          <>
            <TextField {...shared} name={`${path}.${at}.sourceSchemaName`} label="Schema" required mono />
            <TextField {...shared} name={`${path}.${at}.sourceTable`} label="Source table" required mono />
            <TextField {...shared} name={`${path}.${at}.targetTable`} label="Target table" required mono />
            <SelectField
              {...shared}
              name={`${path}.${at}.tableEngine`}
              label="Engine"
              options={plainOptions(databaseTableEngines)}
            />
            <NamesField
              {...shared}
              name={`${path}.${at}.sortingKeys`}
              label="Sorting key"
              placeholder="same as the source"
            />
            <NamesField
              {...shared}
              name={`${path}.${at}.excludedColumns`}
              label="Excluded columns"
              placeholder="none"
            />
          </>
        )
      }}
    />
  )
}

function StoredTable({ row }: { row: TableRow }) {
  const { tableEngine, sortingKeys, excludedColumns } = row
  const more = [
    tableEngine,
    sortingKeys.length > 0 && `sorted by ${sortingKeys.join(', ')}`,
    excludedColumns.length > 0 && `excludes ${excludedColumns.join(', ')}`,
  ].filter(Boolean)
  return (
    <div className={css.storedTable}>
      <code>{formatTables([row])}</code>
      {more.length > 0 && (
        <Text variant="caption" color="textSecondary" className={css.moreTables}>
          {more.join(', ')}
        </Text>
      )}
    </div>
  )
}
