import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { invitationQuery } from '#console/api/gateway/people.ts'
import { acceptInvitation } from '#console/api/session.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import css from './SignInPage.module.css'

/** Chooses the password of an account, and signs in. */
export function InvitationForm({ invitation, onDone }: { invitation: string; onDone: () => void }) {
  const { data, error } = useQuery(invitationQuery(invitation))
  const [password, setPassword] = useState('')
  const accept = useMutation({ mutationFn: acceptInvitation, onSuccess: onDone })
  const failed = accept.error ?? error
  return (
    <>
      {failed && <SubmitError error={formatError(failed)} />}
      {data && (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault()
            accept.mutate({ invitation, password })
          }}
        >
          <Text color="textSecondary">
            Welcome, {data.name}. Choose a password for your account {data.email}.
          </Text>
          <input type="hidden" autoComplete="username" value={data.email} readOnly />
          <TextInput
            label="Password"
            type="password"
            value={password}
            onChange={setPassword}
            autoComplete="new-password"
            help="At least 10 characters."
          />
          <Button
            type="submit"
            variant="contained"
            color="primary"
            disabled={password.length < 10}
            loading={accept.isPending}
          >
            Set password and sign in
          </Button>
        </form>
      )}
    </>
  )
}
