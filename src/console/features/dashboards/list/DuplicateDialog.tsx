import Checkbox from '@mui/material/Checkbox'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import FormControlLabel from '@mui/material/FormControlLabel'
import TextField from '@mui/material/TextField'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Alert } from '#contract/alerts.ts'
import type { Dashboard } from '#contract/dashboards.ts'
import { formatError } from '#console/api/errors.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { copyName } from '../model/duplicate.ts'
import { formatCopied, createCopy } from './copying.ts'
import { Text } from '#console/ui/base/Text.tsx'

interface DuplicateDialogProps {
  dashboard: Dashboard
  /** The alerts on its tiles. */
  alerts: readonly Alert[]
  onClose: () => void
}

/** Creates a copy with new IDs, with its alerts if selected. */
export function DuplicateDialog({ dashboard, alerts, onClose }: DuplicateDialogProps) {
  const connection = useConnection()
  const connectionId = connection.id
  const navigate = useNavigate()
  const [name, setName] = useState(copyName(dashboard.name))
  const [withAlerts, setWithAlerts] = useState(false)
  const copy = useMutation({
    mutationFn: () => createCopy(connectionId, dashboard, name.trim(), withAlerts ? alerts : []),
    onSuccess: async (copied) => {
      toast({ tone: copied.failures.length > 0 ? 'bad' : 'ok', text: formatCopied(copied) })
      onClose()
      await navigate({ to: paths.dashboard(connectionId, copied.dashboard.id) })
    },
  })
  return (
    <FormDialog
      title="Duplicate dashboard"
      size="xs"
      action="Duplicate"
      busy={copy.isPending}
      disabled={name.trim() === ''}
      onSubmit={() => copy.mutate()}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {copy.isError && <SubmitError error={formatError(copy.error)} />}
      <TextField
        label="Name"
        value={name}
        required
        fullWidth
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 1024 } }}
      />
      {alerts.length > 0 && (
        <FormControlLabel
          control={<Checkbox checked={withAlerts} onChange={(_, on) => setWithAlerts(on)} />}
          label={alerts.length === 1 ? 'Copy the alert on its tiles' : `Copy the ${alerts.length} alerts on its tiles`}
        />
      )}
      <Text variant="caption" color="textSecondary">
        Filters, sections and tabs are copied. Tiles and filters get new IDs.
      </Text>
    </FormDialog>
  )
}
