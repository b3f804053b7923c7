import type { ReactNode } from 'react'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { PendingPage } from '#console/shell/PendingPage.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { Page } from '#console/ui/Page.tsx'
import type { Service } from '#contract/services.ts'
import { useService } from './useService.ts'

interface ServiceGateProps {
  title: string
  /** @param reportedAt epoch milliseconds; @param blind whether the last look failed */
  children: (service: Service, reportedAt: number, blind: boolean) => ReactNode
}

/** The service of the address once it is there; why not, where it is not. */
export function ServiceGate({ title, children }: ServiceGateProps) {
  const connection = useConnection()
  const { data, error, refetch, dataUpdatedAt } = useService()
  if (data) return children(data, dataUpdatedAt, error !== null)
  if (!error) return <PendingPage />
  return (
    <Page title={title}>
      <QueryError
        error={error}
        onRetry={() => void refetch()}
        elsewhere={<LinkButton to={paths.services(connection.id)}>All services</LinkButton>}
      />
    </Page>
  )
}
