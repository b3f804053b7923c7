import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import { maxTeamName, team } from '#contract/team.ts'

/** Gives the team another name. */
export function RenameDialog({ name: old, onClose }: { name: string; onClose: () => void }) {
  const connection = useConnection()
  const [name, setName] = useState(old)
  const rename = useApiMutation(connection.id, team.rename, { onSuccess: onClose })
  const wanted = name.trim()
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="rename-title">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted) rename.mutate({ body: { name: wanted } })
        }}
      >
        <DialogTitle id="rename-title">Rename team</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}>
          <ConnectionLine connection={connection} />
          {rename.isError && <SubmitError error={formatError(rename.error)} />}
          <TextField
            label="Name"
            value={name}
            required
            fullWidth
            onChange={(event) => setName(event.target.value)}
            slotProps={{ htmlInput: { autoFocus: true, maxLength: maxTeamName } }}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="contained"
            color="primary"
            loading={rename.isPending}
            disabled={wanted === '' || wanted === old}
          >
            Rename team
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
