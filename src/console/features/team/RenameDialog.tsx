import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { maxTeamName, team } from '#contract/team.ts'

/** Gives the team another name. */
export function RenameDialog({ name: old, onClose }: { name: string; onClose: () => void }) {
  const connection = useConnection()
  const [name, setName] = useState(old)
  const rename = useApiMutation(connection.id, team.rename, { onSuccess: onClose })
  const wanted = name.trim()
  return (
    <FormDialog
      title="Rename team"
      size="xs"
      action="Rename team"
      busy={rename.isPending}
      disabled={wanted === '' || wanted === old}
      onSubmit={() => rename.mutate({ body: { name: wanted } })}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {rename.isError && <SubmitError error={formatError(rename.error)} />}
      <TextField
        label="Name"
        value={name}
        required
        fullWidth
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: maxTeamName } }}
      />
    </FormDialog>
  )
}
