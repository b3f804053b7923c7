import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { sessionQuery, signInWith } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { consumeLinkToken } from './linkToken.ts'
import { useUrlState } from '../urlState.ts'

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
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: signInWith,
    onSuccess: () => router.history.replace(next),
  })
  const { mutate } = signIn

  useEffect(() => {
    const token = consumeLinkToken()
    if (token) mutate({ token })
  }, [mutate])

  useEffect(() => {
    document.title = 'Sign in · Stack Console'
  }, [])

  return (
    <Box component="main" sx={{ display: 'grid', placeItems: 'center', minHeight: '100dvh', p: 4 }}>
      <Box sx={{ width: '100%', maxWidth: 400, display: 'flex', flexDirection: 'column', gap: 4 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
          <img src="/favicon.svg" width={28} height={28} alt="" />
          <Typography variant="h1">Sign in to Stack Console</Typography>
        </Box>
        {signIn.error && <SubmitError error={formatError(signIn.error)} />}
        {signIn.isPending ? (
          <Typography role="status">Signing in…</Typography>
        ) : (
          <Typography color="textSecondary">
            Open the sign-in link that was printed in the terminal when the console started. Each link works once. After
            every use, a new link is printed and written to <code>credentials.json</code> in the data directory.
          </Typography>
        )}
        {session?.passwordOffered && (
          <Box
            component="form"
            onSubmit={(event) => {
              event.preventDefault()
              mutate({ password })
            }}
            sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}
          >
            <TextField
              label="Password"
              type="password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              slotProps={{ htmlInput: { autoComplete: 'current-password' } }}
            />
            <Button
              type="submit"
              variant="contained"
              color="primary"
              disabled={password === ''}
              loading={signIn.isPending}
            >
              Sign in
            </Button>
          </Box>
        )}
      </Box>
    </Box>
  )
}
