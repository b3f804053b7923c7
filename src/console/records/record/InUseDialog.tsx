import { Dialog } from '#console/ui/mui/Dialog.tsx'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import type { Uses } from './resource.ts'
import { Button } from '#console/ui/base/Button.tsx'

interface InUseDialogProps {
  /** The record's name. */
  name: string
  uses: Uses
  /** Why the API does not delete it, and what to do. */
  blocked: string
  onClose: () => void
}

/** A record that the API does not delete while something uses it, with links to what does. */
export function InUseDialog({ name, uses, blocked, onClose }: InUseDialogProps) {
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="in-use-title">
      <DialogTitle id="in-use-title">{name} is in use</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
        <div>
          {uses.summary && `Used by ${uses.summary}. `}
          {blocked}
        </div>
        {uses.links(false)}
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
