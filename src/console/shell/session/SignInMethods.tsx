import { useFormState, type UseFormReturn } from 'react-hook-form'
import { KeyRound } from 'lucide-react'
import { Button } from '#console/ui/base/Button.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import type { Session } from '#contract/console/connections.ts'
import { passwordSignIn, type PasswordProof } from '#contract/console/signIn.ts'
import { PlainTextField } from '#console/ui/form/fields/PlainTextField.tsx'
import * as css from '../shell.module.css'

/** Where the console has no password of its own. */
const accountSignIn = passwordSignIn.refine(({ email }) => email !== '', { path: ['email'] })

/** The form of the password. Its e-mail address also says whose passkeys are accepted. */
export const usePasswordForm = (session: Session | undefined): UseFormReturn<PasswordProof> =>
  useSchemaForm(session?.passwordOffered ? passwordSignIn : accountSignIn, { email: '', password: '' })

interface PasswordSignInProps {
  session: Session
  form: UseFormReturn<PasswordProof>
  pending: boolean
  onSubmit: (proof: PasswordProof) => void
}

/** Sign-in with the password of an account, or that of the console. */
export function PasswordSignIn({ session, form, pending, onSubmit }: PasswordSignInProps) {
  const { control, handleSubmit } = form
  const { isValid } = useFormState({ control })
  const submit = handleSubmit(onSubmit)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      className={css.signInForm}
    >
      {session.accounts && (
        <PlainTextField
          control={control}
          name="email"
          label="E-mail"
          type="email"
          autoComplete="username"
          help={session.passwordOffered ? 'Leave it empty for the password of the console.' : undefined}
        />
      )}
      <PlainTextField
        control={control}
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
      />
      <Button
        type="submit"
        {...(session.providers ? {} : ({ variant: 'contained', color: 'primary' } as const))}
        disabled={!isValid}
        loading={pending}
      >
        Sign in
      </Button>
    </form>
  )
}

interface OtherSignInMethodsProps {
  session: Session
  /** Whether passkeys can be used here. */
  offersPasskeys: boolean
  /** The ID of the provider that is being asked, or whether it is a passkey. */
  pending: string | null
  onProvider: (id: string) => void
  onPasskey: () => void
}

/** Sign-in with providers and passkeys. */
export function OtherSignInMethods(props: OtherSignInMethodsProps) {
  const { session, offersPasskeys, pending, onProvider, onPasskey } = props
  const { providers = [] } = session
  return (
    <div className={css.ways}>
      {providers.map(({ id, label }, at) => (
        <Button
          key={id}
          {...(at === 0 ? ({ variant: 'contained', color: 'primary' } as const) : {})}
          disabled={pending !== null}
          loading={pending === id}
          onClick={() => onProvider(id)}
        >
          Continue with {label}
        </Button>
      ))}
      {offersPasskeys && (
        <Button
          startIcon={<KeyRound size={14} aria-hidden />}
          disabled={pending !== null}
          loading={pending === 'passkey'}
          onClick={onPasskey}
        >
          Sign in with a passkey
        </Button>
      )}
    </div>
  )
}
