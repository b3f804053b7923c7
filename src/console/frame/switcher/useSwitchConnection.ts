import { useMatches, useNavigate, useRouter } from '@tanstack/react-router'
import { onConnection, paths } from '#console/paths/paths.ts'

/**
 * Switches to another connection and keeps the page: the same page with its filters, or the list if the page is about a
 * record.
 */
export function useSwitchConnection(): (connectionId: string) => void {
  const navigate = useNavigate()
  const router = useRouter()
  const matches = useMatches()
  const template = matches.at(-1)?.fullPath ?? ''
  return (connectionId) => {
    if (!template.startsWith('/c/$connectionId')) {
      void navigate({ to: paths.alerts(connectionId) })
      return
    }
    const sameThing = template.replace('/c/$connectionId', '').includes('$')
    void navigate({ to: onConnection(template, connectionId), search: sameThing ? {} : router.state.location.search })
  }
}
