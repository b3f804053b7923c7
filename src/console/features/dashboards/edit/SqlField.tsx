import { type Control, useController } from 'react-hook-form'
import type { Source } from '#contract/stack/sources.ts'
import { CodeField } from '#console/ui/code/CodeField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import type { TileForm } from './tileForm.ts'
import { Text } from '#console/ui/base/Text.tsx'

interface SqlFieldProps {
  control: Control<TileForm>
  /** They name the connections that there are. */
  sources: readonly Source[] | undefined
}

/** The statement of a raw SQL tile, and the connection that runs it. */
export function SqlField({ control, sources = [] }: SqlFieldProps) {
  const { field } = useController({ control, name: 'sqlTemplate' })
  return (
    <>
      <CodeField label="SQL statement" language="sql" text={field.value} onChange={field.onChange} />
      <Text variant="caption" color="textSecondary">
        Macros: <code>$__timeFilter(column)</code>, <code>$__timeInterval(column)</code>, <code>$__fromTime</code>,{' '}
        <code>$__toTime</code>, <code>$__filters</code>, <code>$__filter(column, $name)</code>,{' '}
        <code>$__sourceTable</code>; <code>$name</code> stands for the chosen values of a filter.
      </Text>
      <SelectField
        control={control}
        name="connectionId"
        label="Data connection"
        options={connectionsOf(sources)}
        freeText
        required
      />
    </>
  )
}

/** The API has no list of connections: these are the ones that sources use. */
function connectionsOf(sources: readonly Source[]) {
  const ids = [...new Set(sources.flatMap(({ connection }) => connection || []))]
  return ids.map((value) => {
    const users = sources.filter(({ connection }) => connection === value)
    return { value, label: `Used by ${users.map(({ name }) => name).join(', ')}`, detail: value }
  })
}
