import { useState } from 'react'
import { Button } from '#console/ui/base/Button.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import type { Session } from '#contract/connections.ts'
import css from './SignInPage.module.css'

interface PasswordSignInProps {
  session: Session
  email: string
  onEmail: (email: string) => void
  pending: boolean
  onSubmit: (password: string) => void
}

/** Sign-in with the password of an account, or that of the console. */
export function PasswordSignIn({ session, email, onEmail, pending, onSubmit }: PasswordSignInProps) {
  const [password, setPassword] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(password)
      }}
      className={css.form}
    >
      {session.accounts && (
        <TextInput
          label="E-mail"
          type="email"
          value={email}
          onChange={onEmail}
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
        {...(session.providers ? {} : ({ variant: 'contained', color: 'primary' } as const))}
        disabled={password === '' || (email === '' && !session.passwordOffered)}
        loading={pending}
      >
        Sign in
      </Button>
    </form>
  )
}
