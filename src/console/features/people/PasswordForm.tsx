import { useMutation } from '@tanstack/react-query'
import { formatError } from '#console/api/errors.ts'
import { changePassword } from '#console/api/gateway/people.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { passwordChange } from '#contract/people.ts'
import css from './people.module.css'

const empty = { current: '', password: '' }

/** Changes the caller's own password. */
export function PasswordForm({ email }: { email: string }) {
  const { control, handleSubmit, reset } = useSchemaForm(passwordChange, empty)
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      reset(empty)
      toast({ tone: 'ok', text: 'Password changed. Your other sessions have ended.' })
    },
  })
  const submit = handleSubmit((passwords) => change.mutate(passwords))
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {change.error && <SubmitError error={formatError(change.error)} />}
      {/* For password managers. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <TextField
        control={control}
        name="current"
        label="Current password"
        type="password"
        autoComplete="current-password"
      />
      <TextField
        control={control}
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        help="At least 10 characters. All your other sessions end."
      />
      <div>
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  )
}
