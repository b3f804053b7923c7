import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { dashboards, maxDashboardName } from '#contract/stack/dashboards/dashboards.ts'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { copyBody } from '../model/duplicate.ts'
import { type RejectedTile, rejectedTiles, withoutTiles } from '../model/rejectedTiles.ts'
import { SourcesPart } from './SourcesPart.tsx'
import type { Import } from './useImport.ts'
import { Button, buttonAttributes, ButtonIcon } from '#console/ui/base/Button.tsx'
import * as css from '../dashboards.module.css'
import { Upload } from 'lucide-react'
import { Text } from '#console/ui/base/Text.tsx'

interface ImportSingleDialogProps {
  taken: Import
  onFile: (file: File) => void
  onClose: () => void
}

const schema = z.object({ name: z.string().max(maxDashboardName) })

/** Imports a single dashboard of a file, under another name if necessary. Starts with the file selection. */
export function ImportSingleDialog({ taken, onFile, onClose }: ImportSingleDialogProps) {
  const connection = useConnection()
  const connectionId = connection.id
  const navigate = useNavigate()
  const [dashboard] = taken.dashboards
  const { control, handleSubmit, reset } = useSchemaForm(schema, { name: dashboard?.name ?? '' }, { follows: true })
  const create = useApiMutation(connectionId, dashboards.create, {
    onSuccess: async (created) => {
      toast({ tone: 'ok', text: `Dashboard ${created.name} imported` })
      await navigate({ to: paths.dashboard(connectionId, created.id) })
    },
  })
  const rejected = dashboard && create.isError ? rejectedTiles(create.error.fields, dashboard) : null
  const leaveOut = () => {
    if (!dashboard || !rejected) return
    taken.leaveOut(
      [withoutTiles(dashboard, rejected)],
      rejected.map((tile) => tile.name),
    )
    create.reset()
  }
  const send = handleSubmit(({ name }) => {
    if (dashboard) create.mutate({ body: copyBody(taken.withSourcesHere(dashboard), name) })
  })
  return (
    <FormDialog
      title="Import dashboards"
      action="Import"
      disabled={!dashboard}
      busy={create.isPending}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {create.isError && !rejected && <SubmitError error={formatError(create.error)} />}
      {rejected && <RejectedTiles rejected={rejected} onLeaveOut={leaveOut} />}
      <FileField
        problem={taken.problem}
        onFile={(file) => {
          reset()
          create.reset()
          onFile(file)
        }}
      />
      {dashboard && (
        <>
          <TextField control={control} name="name" label="Name" maxLength={maxDashboardName} />
          <SourcesPart taken={taken} onLeftOut={() => create.reset()} />
        </>
      )}
    </FormDialog>
  )
}

/** The tiles that the deployment rejects. The others can be imported without them. */
function RejectedTiles({ rejected, onLeaveOut }: { rejected: readonly RejectedTile[]; onLeaveOut: () => void }) {
  return (
    <Notice
      tone="error"
      role="alert"
      action={<Button onClick={onLeaveOut}>Leave {rejected.length === 1 ? 'it' : 'them'} out</Button>}
    >
      The deployment rejected {rejected.length === 1 ? 'one tile' : `${rejected.length} tiles`}:
      <ul className={css.rejected}>
        {rejected.map(({ index, name, messages }) => (
          <li key={index}>
            <strong>{name}</strong>: {messages.join('; ')}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

interface FileFieldProps {
  onFile: (file: File) => void
  /** Error of the chosen file. */
  problem: string | null
}

/** A file, chosen or dropped. */
function FileField({ onFile, problem }: FileFieldProps) {
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (file) onFile(file)
  }
  return (
    <>
      <div
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          take(event.dataTransfer.files)
        }}
        className={css.fileField}
      >
        <label {...buttonAttributes({}, css.chooseButton)}>
          <ButtonIcon>
            <Upload size={14} aria-hidden />
          </ButtonIcon>
          Choose a JSON file
          <input
            type="file"
            accept=".json,application/json"
            aria-label="Dashboard file"
            onChange={(event) => take(event.target.files)}
          />
        </label>
        <Text variant="caption" color="textSecondary" className={css.hintText}>
          or drop it here. Accepts exports of this console and of the vendor’s page, and dashboards returned by the API.
        </Text>
      </div>
      {problem && (
        <Notice tone="error" role="alert">
          {problem}
        </Notice>
      )}
    </>
  )
}
