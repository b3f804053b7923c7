import { zodResolver } from '@hookform/resolvers/zod'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { EditPage } from '#console/shell/record/EditPage.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { sourceFacts } from '../model/sourceFacts.ts'
import { pipeName, stateLabel } from '../model/pipeLabels.ts'
import { ColumnsField } from './ColumnsField.tsx'
import { fieldProps } from './fieldProps.ts'
import { ObjectStorageCredentials } from './ObjectStorageFields.tsx'
import { sourceForms } from './sourceForms.tsx'
import { readForm, type CreatableKind, type PipeForm } from './pipeForm.ts'
import { PostgresReplication, PostgresServer } from './PostgresFields.tsx'
import { withPlaceholders } from './reviewRows.ts'
import { TablesField } from './TablesField.tsx'
import { fieldLabels, type LabeledPath } from '../model/fieldLabels.ts'
import {
  editablePaths,
  pipeChanges,
  updateBody,
  updateSchema,
  formatValue,
  editableValues,
  withEditableValues,
} from './updateBody.ts'
import { useSavePipe } from './useSavePipe.ts'

interface EditPipeProps {
  read: Pipe
  kind: CreatableKind
  params: { serviceId: string; dataPipeId: string }
}

/** The edit form of a pipe. Only changes are sent; stored secrets stay unless they are entered again. */
export function EditPipe({ read, kind, params }: EditPipeProps) {
  const connection = useConnection()
  const navigate = useNavigate()
  // The page polls the pipe; the form keeps the version that it was opened with.
  const [base, setBase] = useState(read)
  const resolver = useMemo(() => zodResolver(updateSchema(base, kind)), [base, kind])
  const form = useForm<PipeForm>({ defaultValues: readForm(base, kind), resolver, mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: PipeForm) => all })
  const back = paths.pipe(connection.id, params.serviceId, params.dataPipeId)
  const save = useSavePipe({
    form,
    base,
    params,
    onSaved: () => void navigate({ to: back, ignoreBlocker: true }),
  })
  const locked = lockReason(connection)
  const fields = editablePaths(kind)
  const before = readForm(base, kind)
  const rebaseOn = (theirs: Pipe, taken: LabeledPath[]) => {
    const now = readForm(theirs, kind)
    form.reset(
      withEditableValues(
        now,
        rebase(fields, editableValues(values), editableValues(before), editableValues(now), taken),
      ),
    )
    setBase(theirs)
  }
  return (
    <EditPage
      name={pipeName(base)}
      resource="pipe"
      back={back}
      form={form}
      save={save}
      changes={pipeChanges(values, base)}
      locked={locked}
      command={curlOf(connection, pipes.update, { params, body: withPlaceholders(updateBody(values, base)) })}
      conflictOf={(theirs) =>
        theirChanges(fields, editableValues(values), editableValues(before), editableValues(readForm(theirs, kind)))
      }
      titles={fieldLabels}
      formatValue={formatValue}
      onRebase={rebaseOn}
    >
      <EditFields form={form} base={base} kind={kind} locked={locked} now={read} />
    </EditPage>
  )
}

interface EditFieldsProps {
  form: ReturnType<typeof useForm<PipeForm>>
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
        {kind === 'objectStorage' ? (
          <ObjectStorageCredentials {...fields} hasKey={base.source?.objectStorage?.authentication != null} />
        ) : (
          <Credentials {...fields} />
        )}
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
