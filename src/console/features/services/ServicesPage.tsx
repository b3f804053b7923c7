import { useNavigate } from '@tanstack/react-router'
import { Scaling } from 'lucide-react'
import { useMemo } from 'react'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { RecordList } from '#console/records/record/RecordList.tsx'
import { listReads } from '#console/records/record/recordCalls.ts'
import { serviceCommands } from '#contract/cloud/services/services.ts'
import { serviceColumns } from './columns.tsx'
import { pollInterval, serviceResource } from './model/serviceResource.ts'
import { useServiceDeletion } from './model/useServiceAdministration.ts'
import { useServiceCommand } from './model/useServiceCommand.ts'

export const reads = listReads(serviceResource)

export default function ServicesPage() {
  const connection = useConnection()
  const navigate = useNavigate()
  const columns = useMemo(() => serviceColumns(connection.id), [connection.id])
  const { commandAction } = useServiceCommand()
  const deletion = useServiceDeletion()
  return (
    <RecordList
      resource={serviceResource}
      lead="Database services of the organization."
      columns={columns}
      links={<LinkButton to={paths.rightSizing(connection.id)}>Right-sizing</LinkButton>}
      emptyTitle="No services"
      empty="The API key has no access to services of the organization."
      commands={(service) => serviceCommands.map((command) => commandAction(service, command))}
      rowActions={({ id }) => [
        { label: 'Scale', icon: Scaling, run: () => void navigate({ to: paths.scaleService(connection.id, id) }) },
      ]}
      newPath={paths.newService(connection.id)}
      lastActions={(service) => [deletion(service)]}
      pollInterval={pollInterval}
    />
  )
}
