import { useQuery } from '@tanstack/react-query'
import { useController, useWatch, type Control, type UseFormReturn } from 'react-hook-form'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { CodeField } from '#console/ui/code/CodeField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { PickField } from '#console/ui/form/fields/PickField.tsx'
import { SelectField, type Option } from '#console/ui/form/fields/SelectField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { sourceKinds, sources, type Source } from '#contract/stack/sources.ts'
import { FieldHelp } from '#console/ui/base/Field.tsx'
import { correlatedNames, expressionNames, fieldInfo, hasField, metricTableNames, needsField } from './fields.ts'
import { fieldTitles, sourceFields, withUsualNames, type SourceForm } from './sourceForm.ts'
import { formatSourceKind } from './sourceLabels.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './sources.module.css'
import { useDataConnections } from './useDataConnections.ts'

interface FieldsProps {
  form: UseFormReturn<SourceForm>
  /** The edited source; null for a new source. */
  base: Source | null
}

const kindOptions: Option[] = sourceKinds.map((value) => ({ value, label: formatSourceKind(value) }))

/** The fields of a source of its kind, shared by create and edit. */
export function SourceFields({ form, base }: FieldsProps) {
  const { control } = form
  const connection = useConnection()
  const { data = [] } = useQuery(q(connection.id, sources.list, {}))
  const kind = useWatch({ control, name: 'kind' })
  return (
    <>
      <TablePanel form={form} kind={kind} base={base} sources={data} />
      {kind === 'metric' && (
        <Panel title="Metric tables" aside="at least one">
          <FieldGrid>
            {metricTableNames.map((name) => (
              <TextField key={name} control={control} name={name} label={fieldTitles[name]} mono />
            ))}
          </FieldGrid>
        </Panel>
      )}
      <ColumnsPanel control={control} kind={kind} />
      <CorrelatedPanel control={control} kind={kind} others={data.filter((source) => source.id !== base?.id)} />
      <Panel title="More options" aside="optional">
        <FieldGrid columns={1}>
          <SwitchField
            control={control}
            name="disabled"
            label={fieldTitles.disabled}
            help="A disabled source cannot be chosen for tiles and alerts."
          />
          <RestField control={control} />
        </FieldGrid>
      </Panel>
    </>
  )
}

interface TablePanelProps extends FieldsProps {
  kind: string
  /** The sources of the deployment. */
  sources: readonly Source[]
}

/** The name of a source, and the table that it reads. */
function TablePanel({ form, kind, base, sources: all }: TablePanelProps) {
  const { control } = form
  const fillIn = () => {
    const filled = withUsualNames(form.getValues())
    for (const field of sourceFields) {
      if (filled[field] !== form.getValues(field)) form.setValue(field, filled[field], { shouldDirty: true })
    }
    form.clearErrors()
  }
  return (
    <Panel
      title="Table"
      aside={
        <Button onClick={fillIn} className={css.columnNamesButton}>
          Use OpenTelemetry column names
        </Button>
      }
    >
      <FieldGrid>
        <TextField control={control} name="name" label={fieldTitles.name} required />
        <SelectField
          control={control}
          name="kind"
          label={fieldTitles.kind}
          options={kindOptions}
          freeText
          required
          help={base ? 'Changing the kind removes fields that only this kind has.' : undefined}
        />
        <TextField control={control} name="databaseName" label={fieldTitles.databaseName} required mono />
        <TextField
          control={control}
          name="tableName"
          label={fieldTitles.tableName}
          required={kind !== 'metric'}
          mono
          help={kind === 'metric' ? 'Leave empty: each metric type has its own table below.' : undefined}
        />
        <DataConnectionField control={control} sources={all} />
        <TextField control={control} name="section" label={fieldTitles.section} help="Groups sources in menus." />
      </FieldGrid>
    </Panel>
  )
}

interface KindFieldsProps {
  control: Control<SourceForm>
  kind: string
}

function ColumnsPanel({ control, kind }: KindFieldsProps) {
  return (
    <Panel title="Columns">
      <FieldGrid>
        {expressionNames
          .filter((name) => hasField(kind, name))
          .map((name) => {
            const { help, usual } = fieldInfo(name)
            return (
              <TextField
                key={name}
                control={control}
                name={name}
                label={fieldTitles[name]}
                required={needsField(kind, name)}
                mono
                help={help}
                placeholder={usual}
              />
            )
          })}
        {kind === 'trace' && (
          <NumberField
            control={control}
            name="durationPrecision"
            label={fieldTitles.durationPrecision}
            placeholder="3"
            help="Decimal places of a second: 3 for milliseconds, 9 for nanoseconds."
          />
        )}
      </FieldGrid>
    </Panel>
  )
}

function CorrelatedPanel({ control, kind, others }: KindFieldsProps & { others: readonly Source[] }) {
  const names = correlatedNames.filter((name) => hasField(kind, name))
  if (names.length === 0) return null
  return (
    <Panel title="Correlated sources" aside="with data of the same requests">
      <FieldGrid>
        {names.map((name) => (
          <PickField
            key={name}
            control={control}
            name={name}
            label={fieldTitles[name]}
            required={needsField(kind, name)}
            options={others.map((source) => ({
              value: source.id,
              label: source.name,
              detail: formatSourceKind(source.kind),
            }))}
            placeholder="None"
          />
        ))}
      </FieldGrid>
    </Panel>
  )
}

/** Settings, views, highlighted attributes and other fields that the deployment has: JSON, sent unchanged. */
function RestField({ control }: { control: Control<SourceForm> }) {
  const { field, fieldState } = useController({ control, name: 'rest' })
  return (
    <div>
      <FieldHelp className={css.sourceRest}>
        Additional fields as JSON, such as <code>querySettings</code> and <code>materializedViews</code>.
      </FieldHelp>
      <CodeField
        label={fieldTitles.rest}
        text={field.value}
        language="json"
        onChange={field.onChange}
        minHeight={120}
      />
      {fieldState.error && <FieldHelp error>{fieldState.error.message}</FieldHelp>}
    </div>
  )
}

interface DataConnectionFieldProps {
  control: Control<SourceForm>
  /** The sources of the deployment. */
  sources: readonly Source[]
}

/** The data connection of a source: chosen by name, or an ID where the deployment does not list them. */
function DataConnectionField({ control, sources }: DataConnectionFieldProps) {
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
