import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import TextField from '@mui/material/TextField'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { dashboards } from '#contract/dashboards.ts'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'

/** A new, empty dashboard, opened for editing. */
export function NewDashboardDialog({ onClose }: { onClose: () => void }) {
  const connection = useConnection()
  const connectionId = connection.id
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const create = useApiMutation(connectionId, dashboards.create, {
    onSuccess: (created) => navigate({ to: paths.dashboard(connectionId, created.id), search: { edit: '1' } }),
  })
  return (
    <FormDialog
      title="New dashboard"
      size="xs"
      action="Create dashboard"
      busy={create.isPending}
      disabled={name.trim() === ''}
      onSubmit={() => create.mutate({ body: { name: name.trim(), tiles: [] } })}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {create.isError && <SubmitError error={formatError(create.error)} />}
      <TextField
        label="Name"
        value={name}
        required
        fullWidth
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 1024 } }}
      />
    </FormDialog>
  )
}
