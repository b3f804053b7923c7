import type { UseFormReturn } from 'react-hook-form'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { RecordEditor } from '#console/shell/record/EditRecord.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import type { Pipe } from '#contract/pipes.ts'
import { stateLabel } from '../model/pipeLabels.ts'
import { pipeResource } from '../model/pipeResource.ts'
import { sourceFacts } from '../model/sourceFacts.ts'
import { ColumnsField } from './ColumnsField.tsx'
import { editModels } from './editModel.ts'
import { fieldProps } from './fieldProps.ts'
import { readForm, type CreatableKind, type PipeForm } from './pipeForm.ts'
import { PostgresReplication, PostgresServer } from './PostgresFields.tsx'
import { withPlaceholders } from './reviewRows.ts'
import { sourceForms } from './sourceForms.tsx'
import { TablesField } from './TablesField.tsx'
import { editablePaths, pipeChanges, updateBody } from './updateBody.ts'

interface EditPipeProps {
  read: Pipe
  kind: CreatableKind
}

/** The edit form of a pipe. */
export function EditPipe({ read, kind }: EditPipeProps) {
  const locked = lockReason(useConnection())
  return (
    <RecordEditor
      resource={pipeResource}
      model={editModels[kind]}
      record={read}
      changesOf={pipeChanges}
      commandBody={(form, base) => withPlaceholders(updateBody(form, base))}
    >
      {(form, base) => <EditFields form={form} base={base} kind={kind} locked={locked} now={read} />}
    </RecordEditor>
  )
}

function authenticationOf({ source }: Pipe): string | null | undefined {
  const { kafka, kinesis, objectStorage } = source ?? {}
  return (kafka ?? kinesis ?? objectStorage)?.authentication
}

interface EditFieldsProps {
  form: UseFormReturn<PipeForm>
  base: Pipe
  kind: CreatableKind
  locked: string | undefined
  /** The pipe as last polled. */
  now: Pipe
}

function EditFields({ form: { control }, base, kind, locked, now }: EditFieldsProps) {
  const fields = { control, locked, keepsSecrets: true }
  const { Credentials } = sourceForms[kind]
  const unpaused = now.state === 'Paused' ? undefined : formatPausedReason(now)
  return (
    <>
      <Panel title="General">
        <FieldGrid>
          <TextField {...fieldProps(fields, 'name')} required maxLength={255} />
        </FieldGrid>
      </Panel>
      {kind === 'postgres' && (
        <Panel title="Server">
          <PostgresServer {...fields} />
        </Panel>
      )}
      <Panel title="Credentials" aside="Leave empty to keep stored secrets">
        <Credentials {...fields} hasCredentials={authenticationOf(base) != null} />
      </Panel>
      {kind === 'postgres' ? (
        <>
          <Panel
            title="Tables"
            aside={unpaused ?? 'To change a table, remove it and add it again. The pipe then restarts.'}
          >
            <TablesField
              {...fields}
              locked={locked ?? unpaused}
              stored={readForm(base, kind).source.postgres.tableMappings}
            />
          </Panel>
          <Panel title="Replication">
            <PostgresReplication {...fields} />
          </Panel>
        </>
      ) : (
        <Panel title="Columns" aside="The destination table is not altered">
          <ColumnsField {...fields} />
        </Panel>
      )}
      <Panel title="Fixed at creation">
        <DescriptionList rows={sourceFacts(base, editablePaths(kind))} />
      </Panel>
    </>
  )
}

const formatPausedReason = ({ state }: Pipe) =>
  `Pause the pipe to change tables (state: ${stateLabel(state).toLowerCase()})`
