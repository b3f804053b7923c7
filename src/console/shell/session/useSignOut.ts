import { useNavigate } from '@tanstack/react-router'
import { signOut } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { toastFailure } from '../messages/toastFailure.ts'

/** Ends the session and goes to the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    try {
      await signOut()
      await navigate({ to: paths.signIn() })
    } catch (error) {
      toastFailure(error)
    }
  }
}
