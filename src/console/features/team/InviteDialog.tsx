import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { InvitationPlaces } from '#console/shell/InvitationPlaces.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { team } from '#contract/team.ts'

const body = team.invite.body.shape
const schema = z.object({
  email: z.string().trim().pipe(body.email),
  name: z
    .string()
    .trim()
    .pipe(z.union([z.literal(''), body.name.unwrap()])),
})

/** Invites a person, and shows the link that they need. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const connection = useConnection()
  const {
    control,
    formState: { isValid },
    handleSubmit,
  } = useSchemaForm(schema, { email: '', name: '' })
  const invite = useApiMutation(connection.id, team.invite)
  const send = handleSubmit(({ email, name }) => invite.mutate({ body: { email, ...(name && { name }) } }))
  return (
    <FormDialog
      title={invite.data ? `${invite.data.email} is invited` : 'Invite a person'}
      action="Create invitation"
      busy={invite.isPending}
      disabled={!isValid}
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
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {invite.isError && <SubmitError error={formatError(invite.error)} />}
      {invite.data ? (
        <>
          <Notice tone="info" role="status">
            Send this link to the person yourself: the deployment sends no email. Anyone with the link can join the
            team. It works once, for 30 days.
          </Notice>
          <TextInput label="Link of the invitation" mono readOnly value={invite.data.url} onChange={() => undefined} />
        </>
      ) : (
        <>
          <InvitationPlaces here="team" />
          <TextField control={control} name="email" label="E-mail" type="email" required />
          <TextField control={control} name="name" label="Name" />
        </>
      )}
    </FormDialog>
  )
}
