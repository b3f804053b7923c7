import { useMutation, useQuery } from '@tanstack/react-query'
import { formatError } from '#console/api/errors.ts'
import { invitationQuery } from '#console/api/gateway/people.ts'
import { acceptInvitation } from '#console/api/session.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { invitationAcceptance } from '#contract/console/people.ts'
import { PlainTextField } from '#console/ui/form/fields/PlainTextField.tsx'
import * as css from '../shell.module.css'

/** Chooses the password of an account, and signs in. */
export function InvitationForm({ invitation, onDone }: { invitation: string; onDone: () => void }) {
  const { data, error } = useQuery(invitationQuery(invitation))
  const {
    control,
    handleSubmit,
    formState: { isValid },
  } = useSchemaForm(invitationAcceptance, { invitation, password: '' })
  const accept = useMutation({ mutationFn: acceptInvitation, onSuccess: onDone })
  const failed = accept.error ?? error
  const submit = handleSubmit((proof) => accept.mutate(proof))
  return (
    <>
      {failed && <SubmitError error={formatError(failed)} />}
      {data && (
        <form
          noValidate
          className={css.signInForm}
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <Text color="textSecondary">
            Welcome, {data.name}. Choose a password for your account {data.email}.
          </Text>
          <input type="hidden" autoComplete="username" value={data.email} readOnly />
          <PlainTextField
            control={control}
            name="password"
            label="Password"
            type="password"
            autoComplete="new-password"
            help="At least 10 characters."
          />
          <Button type="submit" variant="contained" color="primary" disabled={!isValid} loading={accept.isPending}>
            Set password and sign in
          </Button>
        </form>
      )}
    </>
  )
}
