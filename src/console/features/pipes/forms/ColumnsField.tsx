import { z } from 'zod'
import { useFieldArray, useFormState, useWatch } from 'react-hook-form'
import { PickField } from '#console/ui/form/fields/PickField.tsx'
import { RowList } from '#console/ui/form/RowList.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { plainOptions, type PipeFieldsProps } from './fieldProps.ts'
import { emptyColumn, type ColumnRow } from './pipeForm.ts'
import { sampleColumns } from './sampleColumns.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from '../create/newPipe.module.css'

const path = 'destination.columns'

const types = [
  'String',
  'LowCardinality(String)',
  'Int64',
  'UInt64',
  'Float64',
  'Decimal(18, 2)',
  'Bool',
  'Date',
  'DateTime',
  'DateTime64(3)',
  'UUID',
  'IPv6',
  'Array(String)',
  'Map(String, String)',
  'Nullable(String)',
]

/** The columns of the destination and the source field of each. */
export function ColumnsField({ control, locked }: PipeFieldsProps) {
  const { fields, append, remove, replace } = useFieldArray({ control, name: path })
  const rows = useWatch({ control, name: path })
  const { errors } = useFormState({ control, name: path })
  const error = errors.destination?.columns
  return (
    <div className={css.columnsField}>
      <RowList
        ids={fields.map(({ id }) => id)}
        itemName="Column"
        addLabel="Add column"
        nameOf={(at) => rows[at]?.name ?? ''}
        template="minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1fr)"
        error={error?.root?.message ?? error?.message}
        locked={locked}
        onAdd={() => append(emptyColumn)}
        onRemove={remove}
        renderRow={(at) => (
          <>
            <TextField
              control={control}
              name={`${path}.${at}.source`}
              label={`Source field ${at + 1}`}
              placeholder={rows[at]?.name || 'same as the column'}
              mono
              disabled={locked}
            />
            <TextField
              control={control}
              name={`${path}.${at}.name`}
              label={`Column ${at + 1}`}
              required
              mono
              disabled={locked}
            />
            <PickField
              control={control}
              name={`${path}.${at}.type`}
              label={`Type ${at + 1}`}
              options={plainOptions(types)}
              emptyText="Enter any column type"
              disabled={locked}
            />
          </>
        )}
      />
      {locked === undefined && <FromSample onUse={(columns) => replace(columns)} />}
    </div>
  )
}

const sampleSchema = z.object({
  sample: z
    .string()
    .refine((text) => text.trim() === '' || sampleColumns(text), 'Not a JSON record or a CSV header line.'),
})

/** Fills the columns from a pasted record. */
function FromSample({ onUse }: { onUse: (columns: ColumnRow[]) => void }) {
  const { control, reset } = useSchemaForm(sampleSchema, { sample: '' }, { mode: 'onChange' })
  const sample = useWatch({ control, name: 'sample' })
  const columns = sample.trim() === '' ? null : sampleColumns(sample)
  return (
    <div className={css.fromSample}>
      <TextField
        control={control}
        name="sample"
        label="Detect columns from a sample"
        lines={2}
        verbatim
        placeholder='{"at":"2026-01-01T00:00:00Z","event":"start","amount":12.5}'
        help="Paste a JSON record or a CSV header line. It is not sent anywhere."
      />
      <Button
        disabled={columns === null}
        onClick={() => {
          if (columns) onUse(columns)
          reset()
        }}
      >
        {columns ? `Use these ${columns.length} columns` : 'Use these columns'}
      </Button>
    </div>
  )
}
