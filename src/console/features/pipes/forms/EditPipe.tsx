import type { UseFormReturn } from 'react-hook-form'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { RecordEditor } from '#console/records/record/EditRecord.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import type { EditForm } from '#console/records/record/recordForm.ts'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { stateLabel } from '../model/pipeLabels.ts'
import { pipeResource } from '../model/pipeResource.ts'
import { sourceFacts } from '../model/sourceFacts.ts'
import { fieldLabels } from '../model/fieldLabels.ts'
import { ColumnsField } from './ColumnsField.tsx'
import { fieldProps } from './fieldProps.ts'
import { type CreatableKind, type PipeForm, readForm } from './pipeForm.ts'
import { PostgresReplication, PostgresServer } from './PostgresFields.tsx'
import { withPlaceholders } from './reviewRows.ts'
import { sourceForms } from './sourceForms.tsx'
import { TablesField } from './TablesField.tsx'
import {
  changedPaths,
  editablePaths,
  editableValues,
  type EditableValues,
  formatValue,
  hasNewSecrets,
  pipeChanges,
  rowPath,
  updateBody,
  updateSchema,
  withEditableValues,
  withoutNewSecrets,
} from './updateBody.ts'
import { pipeRefusals, shownFields } from './refusals.ts'

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

/** The edit form of each source type. Only changes are sent; stored secrets stay unless they are entered again. */
function editModel(kind: CreatableKind): EditForm<Pipe, PipeForm, EditableValues> {
  const read = (pipe: Pipe) => readForm(pipe, kind)
  const stored = (pipe: Pipe) => editableValues(read(pipe))
  return {
    titles: fieldLabels,
    read,
    schema: (base) => updateSchema(base, kind),
    body: updateBody,
    changed: changedPaths,
    formatValue,
    refusals: (failure, form, base) => pipeRefusals(failure, (path) => rowPath(path, form, read(base))),
    errorPaths: shownFields,
    // Changed secrets show in the date only.
    applied: (form, now, base) =>
      now.updatedAt !== base.updatedAt && Object.keys(updateBody(withoutNewSecrets(form), now)).length === 0,
    // Secrets of others show in the date only. They matter if this save contains secrets too.
    writable: (form, now, base) =>
      sameValue(stored(now), stored(base)) && (now.updatedAt === base.updatedAt || !hasNewSecrets(form)),
    conflicts: (form, base, theirs) =>
      theirChanges(editablePaths(kind), editableValues(form), stored(base), stored(theirs)),
    merge: (form, base, theirs, taken) =>
      withEditableValues(
        read(theirs),
        rebase(editablePaths(kind), editableValues(form), stored(base), stored(theirs), taken),
      ),
  }
}

const editModels: Record<CreatableKind, ReturnType<typeof editModel>> = {
  objectStorage: editModel('objectStorage'),
  kafka: editModel('kafka'),
  kinesis: editModel('kinesis'),
  postgres: editModel('postgres'),
}
