import { useWatch, type Control, type UseFormReturn } from 'react-hook-form'
import { Button } from '#console/ui/base/Button.tsx'
import { CardsField } from '#console/ui/form/fields/CardsField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { FoldedPanel } from '#console/ui/layout/FoldedPanel.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { sameValue } from '#console/ui/form/values.ts'
import { databaseIn, type DiscoveredField } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { pipeKindNames } from '#contract/cloud/pipeKinds.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import { counted } from '#domain/text/words.ts'
import { ColumnsField } from '../forms/ColumnsField.tsx'
import { DestinationFields } from '../forms/DestinationFields.tsx'
import { fieldProps } from '../forms/fieldProps.ts'
import { emptyForm, type ColumnRow, type PipeForm } from '../forms/pipeForm.ts'
import { PostgresReplication } from '../forms/PostgresFields.tsx'
import { sourceForms, sourceTypeCards } from '../forms/sourceForms.tsx'
import { TablesField } from '../forms/TablesField.tsx'
import { ChooseTables } from './ChooseTables.tsx'
import { SampleTable } from './SampleTable.tsx'
import { serviceBlocker } from './newModel.ts'
import { TestPanel } from './TestPanel.tsx'
import type { SourceTest } from './useSourceTest.ts'

/** The first step: what is read, and with which credentials. */
export function SourceStep({ control }: { control: Control<PipeForm> }) {
  const kind = useWatch({ control, name: 'kind' })
  const fields = { control, locked: undefined }
  const { Source, Credentials } = sourceForms[kind]
  return (
    <>
      <Panel title="General">
        <FieldGrid columns={1}>
          <CardsField {...fieldProps(fields, 'kind')} cards={sourceTypeCards} />
          <TextField
            {...fieldProps(fields, 'name')}
            required
            maxLength={255}
            help="What the pipe is called in the list of data pipes."
          />
        </FieldGrid>
      </Panel>
      <Panel title={`Source: ${pipeKindNames[kind]}`}>
        <Source {...fields} />
      </Panel>
      <Panel title="Credentials" aside="Not shown again after saving">
        <Credentials {...fields} />
      </Panel>
    </>
  )
}

interface PreviewStepProps {
  /** Leads to a field of another step. */
  onEdit: (path: string) => void
  form: UseFormReturn<PipeForm>
  test: SourceTest
  /** The name of the service that tests. */
  service: string
  columnOf: (field: DiscoveredField) => ColumnRow
}

/** The second step: the test of the connection, then what is taken from the source. */
export function PreviewStep({ form, test, service, onEdit, columnOf }: PreviewStepProps) {
  const { control, setValue } = form
  const [kind, columns] = useWatch({ control, name: ['kind', 'destination.columns'] })
  const fields = { control, locked: undefined }
  const { found } = test
  if (kind === 'postgres') {
    const database = found && databaseIn(found.meta)
    return (
      <>
        <TestPanel test={test} service={service} onEdit={onEdit} />
        {database ? (
          <ChooseTables control={control} database={database} />
        ) : (
          <Panel title="Tables" aside="Listed here after a test">
            <TablesField {...fields} />
          </Panel>
        )}
        <ReplicationSettings control={control} />
      </>
    )
  }
  const proposed = found?.fields.map(columnOf) ?? []
  return (
    <>
      <TestPanel test={test} service={service} onEdit={onEdit}>
        {found && found.fields.length > 0 && <SampleTable label="Sample of the source" found={found} />}
        {proposed.length > 0 && !sameValue(proposed, columns) && (
          <div>
            <Button
              onClick={() => setValue('destination.columns', proposed, { shouldDirty: true, shouldValidate: true })}
            >
              {proposed.length === 1 ? 'Use this column' : `Use these ${proposed.length} columns`}
            </Button>
          </div>
        )}
      </TestPanel>
      <Panel title="Columns">
        <ColumnsField {...fields} />
      </Panel>
    </>
  )
}

/** The options of a database pipe: closed, with how many are not at their default. */
function ReplicationSettings({ control }: { control: Control<PipeForm> }) {
  const settings = useWatch({ control, name: 'source.postgres.settings' })
  const defaults = Object.entries(emptyForm('').source.postgres.settings)
  const set = Object.entries(settings).filter(
    ([name, value]) => !defaults.some(([other, usual]) => other === name && Object.is(usual, value)),
  )
  return (
    <FoldedPanel
      title="Replication settings"
      summary={
        set.length === 0
          ? `${counted(defaults.length, 'setting')} at their defaults`
          : `${counted(set.length, 'setting')} changed`
      }
    >
      <PostgresReplication control={control} locked={undefined} isNew />
    </FoldedPanel>
  )
}

/** The third step: where the data goes. The service is filled in from the start, because it also tests the source. */
export function DestinationStep({ control, services }: { control: Control<PipeForm>; services: readonly Service[] }) {
  const kind = useWatch({ control, name: 'kind' })
  const fields = { control, locked: undefined }
  return (
    <Panel title="Destination">
      <Column gap={16}>
        <FieldGrid columns={1}>
          <SelectField
            {...fieldProps(fields, 'serviceId')}
            required
            help="Has the tables and reads the source. Step 2 tested the connection from this service: if you choose another one, test again."
            options={services.map((service) => ({
              value: service.id,
              label: service.name ?? service.id,
              disabled: serviceBlocker(service),
            }))}
          />
        </FieldGrid>
        <DestinationFields {...fields} isDatabase={kind === 'postgres'} />
      </Column>
    </Panel>
  )
}
