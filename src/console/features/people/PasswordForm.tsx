import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { changePassword } from '#console/api/gateway/people.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import css from './people.module.css'

/** Changes the caller's own password. */
export function PasswordForm({ email }: { email: string }) {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      setCurrent('')
      setPassword('')
      toast({ tone: 'ok', text: 'Password changed. Your other sessions have ended.' })
    },
  })
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ current, password })
      }}
    >
      {change.error && <SubmitError error={formatError(change.error)} />}
      {/* For password managers. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <TextInput
        label="Current password"
        type="password"
        value={current}
        onChange={setCurrent}
        autoComplete="current-password"
      />
      <TextInput
        label="New password"
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="new-password"
        help="At least 10 characters. All your other sessions end."
      />
      <div>
        <Button type="submit" disabled={current === '' || password === ''} loading={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  )
}
