import { CircleSlash, ExternalLink } from 'lucide-react'
import { useConnection } from '#console/shell/connection.tsx'
import { ButtonIcon, buttonAttributes } from '#console/ui/base/Button.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'

/** For deployments whose API has no such operations: they are in its own interface. */
export function UnsupportedByApi({ subject }: { subject: string }) {
  const { baseUrl } = useConnection()
  const settings = teamSettingsOf(baseUrl)
  return (
    <EmptyState
      icon={CircleSlash}
      title="Not in the API of this deployment"
      action={
        <a href={settings} target="_blank" rel="noopener noreferrer" {...buttonAttributes({})}>
          <ButtonIcon>
            <ExternalLink size={14} aria-hidden />
          </ButtonIcon>
          Open its team settings
        </a>
      }
    >
      This deployment manages {subject} only in its own interface, under “Team settings”. Its address is usually{' '}
      {settings}.
    </EmptyState>
  )
}

/** The usual ports of API and interface on one host. */
const apiPort = '8000'
const interfacePort = '8080'

/** A guess from the base address of the API: its proxy path is `/api` of the interface, and its own port is beside it. */
export function teamSettingsOf(baseUrl: string): string {
  const url = new URL(baseUrl)
  const path = url.pathname.replace(/\/(?:api)?\/?$/, '')
  if (path === '' && url.pathname === '/' && url.port === apiPort) url.port = interfacePort
  return `${url.origin}${path}/team`
}
