import { Dialog } from '#console/ui/mui/Dialog.tsx'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
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
import { Button } from '#console/ui/base/Button.tsx'

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
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="new-title">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim()) create.mutate({ body: { name: name.trim(), tiles: [] } })
        }}
      >
        <DialogTitle id="new-title">New dashboard</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}>
          <ConnectionLine connection={connection} />
          {create.isError && <SubmitError error={formatError(create.error)} />}
          <TextField
            label="Name"
            value={name}
            required
            fullWidth
            onChange={(event) => setName(event.target.value)}
            slotProps={{ htmlInput: { autoFocus: true, maxLength: 1024 } }}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="contained"
            color="primary"
            loading={create.isPending}
            disabled={name.trim() === ''}
          >
            Create dashboard
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
