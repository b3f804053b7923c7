import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ReviewDialog } from '#console/shell/ReviewDialog.tsx'
import { toast } from '#console/shell/toasts.tsx'
import { changeCount } from '#console/ui/ChangeTable.tsx'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { ConflictPanel } from '#console/ui/form/ConflictPanel.tsx'
import { Facts } from '#console/ui/Facts.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { Page } from '#console/ui/Page.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { rowName, sourceRows } from '../sourceFacts.ts'
import { pipeName, stateLabel } from '../words.ts'
import { ColumnsField } from './ColumnsField.tsx'
import { fieldOf } from './fieldsOf.ts'
import { ObjectStorageAccess } from './ObjectStorageFields.tsx'
import { kindParts } from './PipeFields.tsx'
import { readForm, type MakeableKind, type PipeForm } from './pipeForm.ts'
import { PostgresCopying, PostgresServer } from './PostgresFields.tsx'
import { withPlaceholders } from './reviewRows.ts'
import { TablesField } from './TablesField.tsx'
import { titles, type TitledPath } from './titles.ts'
import { editablePaths, pipeChanges, updateBody, updateSchema, valueWords, viewOf, withView } from './updateBody.ts'
import { useSavePipe } from './useSavePipe.ts'

interface EditPipeProps {
  read: Pipe
  kind: MakeableKind
  params: { serviceId: string; dataPipeId: string }
}

/** Edits what the API lets be changed of a pipe. Only what changed is sent; secrets stay unless they are entered anew. */
export function EditPipe({ read, kind, params }: EditPipeProps) {
  const connection = useConnection()
  const navigate = useNavigate()
  // The page looks again now and then; the form stays on what it was opened with.
  const [base, setBase] = useState(read)
  const resolver = useMemo(() => zodResolver(updateSchema(base, kind)), [base, kind])
  const form = useForm<PipeForm>({ defaultValues: readForm(base, kind), resolver, mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: PipeForm) => all })
  const [reviewed, setReviewed] = useState(false)
  const here = paths.pipe(connection.id, params.serviceId, params.dataPipeId)
  const save = useSavePipe({
    form,
    base,
    params,
    onSaved: (pipe) => {
      toast({ tone: 'ok', text: `Data pipe ${pipeName(pipe)} saved.` })
      void navigate({ to: here, ignoreBlocker: true })
    },
  })
  const changes = pipeChanges(values, base)
  const locked = lockReason(connection)
  const resolve = (theirs: Pipe, taken: TitledPath[]) => {
    const [mine, before, now] = [values, readForm(base, kind), readForm(theirs, kind)]
    const merged = rebase(editablePaths(kind), viewOf(mine), viewOf(before), viewOf(now), taken)
    form.reset(withView(now, merged))
    setBase(theirs)
    save.clear()
  }
  const review = form.handleSubmit(() => setReviewed(true))
  const send = () => {
    setReviewed(false)
    void save.submit()
  }
  const title = `Edit ${pipeName(base)}`
  const undecided = save.theirs ? 'Decide about the other version first.' : undefined
  const nothing = changes.length === 0 ? 'Nothing was changed yet.' : undefined
  return (
    <Page title={title}>
      <FormPage
        onSubmit={send}
        submitLabel="Save pipe"
        onCancel={() => void navigate({ to: here })}
        loading={save.pending}
        submitError={save.error}
        errorAction={save.unknown && <Button onClick={() => void save.look()}>Look at it now</Button>}
        dirty={changes.length > 0}
        changes={`${changeCount(changes)}${changes.length > 0 ? ' · 2 requests of your budget' : ''}`}
        disabled={locked ?? undecided ?? nothing}
        barActions={
          <Button disabled={(undecided ?? nothing) !== undefined} onClick={() => void review()}>
            Review
          </Button>
        }
      >
        {save.theirs && (
          <ConflictPanel
            thing="pipe"
            rows={theirChanges(
              editablePaths(kind),
              viewOf(values),
              viewOf(readForm(base, kind)),
              viewOf(readForm(save.theirs, kind)),
            )}
            titles={titles}
            valueWords={valueWords}
            onResolve={(taken) => save.theirs && resolve(save.theirs, taken)}
          />
        )}
        <EditFields form={form} base={base} kind={kind} locked={locked} now={read} />
      </FormPage>
      {reviewed && (
        <ReviewDialog
          title={title}
          changes={changes}
          requests={['read again', 'write']}
          command={curlOf(connection, pipes.update, {
            params,
            body: withPlaceholders(updateBody(values, base)),
          })}
          action="Save pipe"
          disabled={locked}
          onSend={send}
          onClose={() => setReviewed(false)}
        />
      )}
    </Page>
  )
}

interface EditFieldsProps {
  form: ReturnType<typeof useForm<PipeForm>>
  base: Pipe
  kind: MakeableKind
  locked: string | undefined
  /** The pipe as it was looked at last. */
  now: Pipe
}

function EditFields({ form: { control }, base, kind, locked, now }: EditFieldsProps) {
  const fields = { control, locked, kept: true }
  const { Access } = kindParts[kind]
  const unpaused = now.state === 'Paused' ? undefined : pausedWords(now)
  return (
    <>
      <Panel title="Pipe">
        <FieldGrid>
          <TextField {...fieldOf(fields, 'name')} required maxLength={255} />
        </FieldGrid>
      </Panel>
      {kind === 'postgres' && (
        <Panel title="Server">
          <PostgresServer {...fields} />
        </Panel>
      )}
      <Panel title="Signing in" aside="secrets are kept unless re-entered">
        {kind === 'objectStorage' ? (
          <ObjectStorageAccess {...fields} hasKey={base.source?.objectStorage?.authentication === 'IAM_USER'} />
        ) : (
          <Access {...fields} />
        )}
      </Panel>
      {kind === 'postgres' ? (
        <>
          <Panel
            title="Tables"
            aside={unpaused ?? 'to change one, take it away and add it anew; the pipe starts again after that'}
          >
            <TablesField
              {...fields}
              locked={locked ?? unpaused}
              stored={readForm(base, kind).source.postgres.tableMappings}
            />
          </Panel>
          <Panel title="Copying">
            <PostgresCopying {...fields} />
          </Panel>
        </>
      ) : (
        <Panel title="Columns" aside="of the pipe: the table stays as it is">
          <ColumnsField {...fields} />
        </Panel>
      )}
      <Panel title="Fixed when the pipe was made">
        <Facts rows={fixedRows(base, kind)} />
      </Panel>
    </>
  )
}

/** What the source says besides what the form shows. */
function fixedRows(pipe: Pipe, kind: MakeableKind) {
  const shown = new Set(editablePaths(kind).map((path) => rowName(path.split('.').slice(2))))
  return sourceRows(pipe).filter(([name]) => !shown.has(name))
}

const pausedWords = ({ state }: Pipe) => `changed while the pipe is paused; it is ${stateLabel(state).toLowerCase()}`
