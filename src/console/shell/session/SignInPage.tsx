import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { sessionQuery, signInWith } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { consumeInvitation, consumeLinkToken } from './linkToken.ts'
import { useUrlState } from '../urlState.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import css from './SignInPage.module.css'

const InvitationForm = lazyComponent(async () => (await import('./InvitationForm.tsx')).InvitationForm)

/** Only a path of this console: a link must not lead a fresh session elsewhere. */
const search = z.object({
  next: z
    .string()
    .regex(/^\/(?![/\\])/)
    .catch(paths.home()),
})

/** Sign-in: automatically by the terminal's one-time link, or with a password, if one is set. */
export function SignInPage() {
  const router = useRouter()
  const [{ next }] = useUrlState(search)
  const { data: session } = useQuery(sessionQuery)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [invitation] = useState(consumeInvitation)
  const onDone = () => router.history.replace(next)
  const signIn = useMutation({ mutationFn: signInWith, onSuccess: onDone })
  const { mutate } = signIn

  useEffect(() => {
    const token = consumeLinkToken()
    if (token) mutate({ token })
  }, [mutate])

  useEffect(() => {
    document.title = 'Sign in · Stack Console'
  }, [])

  return (
    <main className={css.signInPage}>
      <div className={css.content}>
        <div className={css.header}>
          <img src="/favicon.svg" width={28} height={28} alt="" />
          <Text variant="h1">Sign in to Stack Console</Text>
        </div>
        {signIn.error && <SubmitError error={formatError(signIn.error)} />}
        {invitation !== null && <InvitationForm invitation={invitation} onDone={onDone} />}
        {invitation !== null ? null : signIn.isPending ? (
          <Text role="status">Signing in…</Text>
        ) : (
          <Text color="textSecondary">
            {session?.accounts
              ? 'Sign in with your account. Whoever runs the console can also open the sign-in link'
              : 'Open the sign-in link'}{' '}
            that was printed in the terminal when the console started. Each link works once. After every use, a new link
            is printed and written to <code>credentials.json</code> in the data directory.
          </Text>
        )}
        {invitation === null && (session?.accounts || session?.passwordOffered) && (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              mutate({ password, ...(email !== '' && { email }) })
            }}
            className={css.form}
          >
            {session.accounts && (
              <TextInput
                label="E-mail"
                type="email"
                value={email}
                onChange={setEmail}
                autoComplete="username"
                help={session.passwordOffered ? 'Leave it empty for the password of the console.' : undefined}
              />
            )}
            <TextInput
              label="Password"
              type="password"
              value={password}
              onChange={setPassword}
              autoComplete="current-password"
            />
            <Button
              type="submit"
              variant="contained"
              color="primary"
              disabled={password === '' || (email === '' && !session.passwordOffered)}
              loading={signIn.isPending}
            >
              Sign in
            </Button>
          </form>
        )}
      </div>
    </main>
  )
}
