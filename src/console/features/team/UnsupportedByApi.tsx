import { CircleSlash, ExternalLink } from 'lucide-react'
import { useConnection } from '#console/shell/connection.tsx'
import { ButtonIcon, buttonAttributes } from '#console/ui/base/Button.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { teamSettingsOf } from './teamSettings.ts'

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
