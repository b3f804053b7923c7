import type { Control } from 'react-hook-form'
import { PickField } from '#console/ui/form/fields/PickField.tsx'
import { SelectField, type Option } from '#console/ui/form/fields/SelectField.tsx'
import type { Source } from '#contract/stack/sources.ts'
import { fieldTitles, type SourceForm } from './sourceForm.ts'
import { useDataConnections } from './useDataConnections.ts'

interface DataConnectionFieldProps {
  control: Control<SourceForm>
  /** The sources of the deployment. */
  sources: readonly Source[]
}

/** The data connection of a source: chosen by name, or an ID where the deployment does not list them. */
export function DataConnectionField({ control, sources }: DataConnectionFieldProps) {
  const { listed, isLoading } = useDataConnections()
  const shared = { control, name: 'connection', label: fieldTitles.connection, required: true } as const
  if (listed || isLoading) {
    const options = listed?.map(({ id, name, host }) => ({ value: id, label: name || id, detail: host }))
    return <SelectField {...shared} options={options ?? []} />
  }
  return (
    <PickField
      {...shared}
      options={namedBy(sources)}
      help="There is no list of data connections here: choose that of another source, or paste an ID."
    />
  )
}

/** The data connections that sources name. */
function namedBy(sources: readonly Source[]): Option[] {
  const ids = [...new Set(sources.flatMap((source) => source.connection ?? []))]
  return ids.map((id) => ({
    value: id,
    label: id,
    detail: sources
      .filter((source) => source.connection === id)
      .map((source) => source.name)
      .join(', '),
  }))
}
