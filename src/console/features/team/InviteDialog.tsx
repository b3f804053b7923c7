import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { team } from '#contract/team.ts'

/** Invites a person, and shows the link that they need. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const connection = useConnection()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const invite = useApiMutation(connection.id, team.invite)
  const body = { email: email.trim(), ...(name.trim() && { name: name.trim() }) }
  const valid = team.invite.body.safeParse(body).success
  return (
    <FormDialog
      title={invite.data ? `${invite.data.email} is invited` : 'Invite a person'}
      action="Create invitation"
      busy={invite.isPending}
      disabled={!valid}
      result={
        invite.data && (
          <>
            <CopyButton text={invite.data.url} label="Copy link" />
            <Button variant="contained" color="primary" onClick={onClose}>
              Done
            </Button>
          </>
        )
      }
      onSubmit={() => invite.mutate({ body })}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {invite.isError && <SubmitError error={formatError(invite.error)} />}
      {invite.data ? (
        <>
          <Notice tone="info" role="status">
            Send this link to the person yourself: the deployment sends no e-mail. Anyone with the link can join the
            team. It works once, for 30 days.
          </Notice>
          <TextInput label="Link of the invitation" mono readOnly value={invite.data.url} onChange={() => undefined} />
        </>
      ) : (
        <>
          <TextField
            label="E-mail"
            type="email"
            value={email}
            required
            fullWidth
            onChange={(event) => setEmail(event.target.value)}
            slotProps={{ htmlInput: { maxLength: 254, autoComplete: 'off' } }}
          />
          <TextField
            label="Name"
            value={name}
            fullWidth
            onChange={(event) => setName(event.target.value)}
            slotProps={{ htmlInput: { maxLength: 100, autoComplete: 'off' } }}
          />
        </>
      )}
    </FormDialog>
  )
}
