import { useNavigate } from '@tanstack/react-router'
import { signOut } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { toastFailure } from '../messages/toastFailure.ts'

/** Ends the session and goes to the sign-in page, by way of the provider with which it was started. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    try {
      const providerUrl = await signOut()
      if (providerUrl === undefined) await navigate({ to: paths.signIn() })
      else location.assign(providerUrl)
    } catch (error) {
      toastFailure(error)
    }
  }
}
