import Typography from '@mui/material/Typography'
import { type Control, useController } from 'react-hook-form'
import { CodeField } from '#console/ui/code/CodeField.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import type { TileForm } from './tileForm.ts'

/** The statement of a raw SQL tile, and the connection that runs it. */
export function SqlField({ control }: { control: Control<TileForm> }) {
  const { field } = useController({ control, name: 'sqlTemplate' })
  return (
    <>
      <CodeField label="SQL statement" language="sql" text={field.value} onChange={field.onChange} />
      <Typography variant="caption" color="textSecondary">
        Macros: <code>$__timeFilter(column)</code>, <code>$__timeInterval(column)</code>, <code>$__fromTime</code>,{' '}
        <code>$__toTime</code>, <code>$__filters</code>, <code>$__sourceTable</code>.
      </Typography>
      <TextField control={control} name="connectionId" label="Id of the database connection" mono required />
    </>
  )
}
