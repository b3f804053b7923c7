import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  fileImportPlanQuery,
  type ImportChoices,
  type RecordZip,
  startFileImport,
} from '#console/api/gateway/recordFiles.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { noDecisions } from '#console/records/runs/decisions.ts'
import { PlanDialog } from '#console/records/runs/PlanDialog.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import { counted } from '#domain/text/words.ts'
import { useSettled } from '#console/ui/useSettled.ts'
import { asFailure } from '#console/api/failure.ts'
import { ChooseFile } from './ChooseFile.tsx'
import { ImportOptions } from './ImportOptions.tsx'
import * as css from '../history.module.css'

interface ImportDialogProps {
  onStarted: (runId: string) => void
  onClose: () => void
}

/** Makes the connection as a zip of files says: choose it, review the plan, start. */
export function ImportDialog(props: ImportDialogProps) {
  const [zip, setZip] = useState<RecordZip>()
  if (zip) return <ImportPlan key={zip.key} {...props} zip={zip} onChoose={setZip} />
  return <NoFileYet onChoose={setZip} onClose={props.onClose} />
}

function NoFileYet({ onChoose, onClose }: { onChoose: (zip: RecordZip) => void; onClose: () => void }) {
  const connection = useConnection()
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby="import-title">
      <DialogTitle id="import-title">Import records</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
        <ConnectionLine connection={connection} />
        <Text>
          A zip that “Export records” made, or of files that the command line wrote. You see what changes before
          anything is written.
        </Text>
        <ChooseFile onChoose={onChoose} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </Dialog>
  )
}

/** Milliseconds without a key before another plan is made. */
const delay = 500

function ImportPlan({
  zip,
  onChoose,
  onStarted,
  onClose,
}: ImportDialogProps & { zip: RecordZip; onChoose: (zip: RecordZip) => void }) {
  const connection = useConnection()
  const [choices, setChoices] = useState<ImportChoices>({ prune: false, leaveOut: false, secrets: {}, entered: {} })
  const settled = useSettled(choices, delay)
  const { data, error, isPlaceholderData, refetch } = useQuery(fileImportPlanQuery(connection.id, zip, settled))
  return (
    <PlanDialog
      title="Import records"
      connection={connection}
      plan={error ? undefined : data}
      error={error}
      onRetry={() => void refetch()}
      action="Import"
      isPending={isPlaceholderData || settled !== choices}
      nothingToDo="Nothing to do: the connection is as the file says."
      onStart={async (plan) => {
        const [started] = await startFileImport(connection.id, zip, choices, plan.digest)
        if (started !== undefined) onStarted(started)
      }}
      onClose={onClose}
      errorDetails={<FileProblems error={error} />}
      mine="in the file"
      since="at that time"
      decisions={{ ...noDecisions, entered: choices.entered }}
      onDecide={({ entered }) => setChoices({ ...choices, entered })}
    >
      <ChooseFile
        name={zip.name}
        detail={data && !error ? counted(data.files, 'record') : undefined}
        onChoose={onChoose}
      />
      {data && !error && <ImportOptions plan={data} choices={choices} onChange={setChoices} />}
    </PlanDialog>
  )
}

/** Each file of a zip that is no record, with the place in it. */
function FileProblems({ error }: { error: unknown }) {
  const { fields = [] } = asFailure(error)
  if (fields.length < 2) return null
  return (
    <ul className={css.problems} aria-label="Problems">
      {fields.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <code>{path}</code> <Text component="span">{message}</Text>
        </li>
      ))}
    </ul>
  )
}
