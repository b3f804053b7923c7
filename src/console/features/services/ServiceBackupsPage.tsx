import { useQuery } from '@tanstack/react-query'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { serviceBackups, type ServiceBackup } from '#contract/cloud/services/serviceBackups.ts'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { serviceResource } from './model/serviceResource.ts'
import { q } from '#console/api/queries.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip, type ChipTone } from '#console/ui/StatusChip.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { formatValue } from '#domain/charts/units.ts'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import * as base from '#console/ui/base/base.module.css'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { Service } from '#contract/cloud/services/services.ts'
import { serviceName } from './model/serviceLabels.ts'
import { BackupPlan } from './backups/BackupPlan.tsx'
import { BucketPanel } from './backups/BucketPanel.tsx'
import * as css from './services.module.css'

export const reads = recordReads(serviceResource, serviceBackups.list)

export default function ServiceBackupsPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Backups" nav={<ServiceTabs />}>
      {(service) => <Backups service={service} />}
    </ResourceLoader>
  )
}

const tones: Record<string, ChipTone> = { done: 'ok', error: 'bad', in_progress: 'accent' }
const labels: Record<string, string> = { done: 'Done', error: 'Failed', in_progress: 'In progress' }
const busyMs = 1000
const quietMs = 30_000

const isRunning = ({ status }: ServiceBackup) => status === 'in_progress'

/** The backups of a service, when they are made, and what can be restored from them. */
function Backups({ service }: { service: Service }) {
  const connection = useConnection()
  const params = { serviceId: service.id }
  const read = useQuery({
    ...q(connection.id, serviceBackups.list, { params }),
    refetchInterval: ({ state: { data } }) => (data?.some(isRunning) ? busyMs : quietMs),
  })
  const create = useApiMutation(connection.id, serviceBackups.create, { onError: toastFailure })
  const locked = lockReason(connection) ?? (read.data?.some(isRunning) ? 'A backup is in progress.' : undefined)
  return (
    <Page
      title={`Backups of ${serviceName(service)}`}
      lead="A new service can be created from each backup that is done."
      nav={<ServiceTabs />}
      actions={
        <DisabledReason reason={locked}>
          <Button disabled={locked !== undefined} loading={create.isPending} onClick={() => create.mutate({ params })}>
            Back up now
          </Button>
        </DisabledReason>
      }
    >
      <div className={css.backups}>
        <Notice tone="info">
          A local stack writes backups to the folder <code>backups</code> of its data. They do not leave that machine.
        </Notice>
        {read.data ? (
          <BackupTable connectionId={connection.id} service={service} backups={read.data} />
        ) : read.error ? (
          <QueryError error={read.error} onRetry={() => void read.refetch()} />
        ) : (
          <LoadingPanels heights={[180]} />
        )}
        {service.isPrimary === false ? (
          <Text color="textSecondary">The primary service of the warehouse has the configuration of backups.</Text>
        ) : (
          <>
            <BackupPlan serviceId={service.id} />
            <BucketPanel serviceId={service.id} />
          </>
        )}
      </div>
    </Page>
  )
}

interface BackupTableProps {
  connectionId: string
  service: Service
  backups: readonly ServiceBackup[]
}

function BackupTable({ connectionId, service, backups }: BackupTableProps) {
  return (
    <Panel title="Backups" aside="Newest first" flush>
      {backups.length === 0 ? (
        <Text color="textSecondary" className={css.backupsNone}>
          No backups yet. The first one is made one period after the service was created.
        </Text>
      ) : (
        <SmallTable
          label="Backups"
          heads={[
            'Started',
            'Status',
            'Type',
            { title: 'Size', number: true },
            { title: 'Duration', number: true },
            { title: 'Restore', hidden: true },
          ]}
          className={css.backupsScroller}
        >
          {backups.map((backup) => (
            <tr key={backup.id}>
              <th scope="row">{backup.startedAt && <Timestamp iso={backup.startedAt} />}</th>
              <td>
                <StatusChip tone={tones[backup.status ?? ''] ?? 'neutral'}>
                  {labels[backup.status ?? ''] ?? backup.status ?? 'Unknown'}
                </StatusChip>
                {backup.statusDetail && <div className={css.backupsDetail}>{backup.statusDetail}</div>}
              </td>
              <td>{backup.type}</td>
              <td className={base.tableNumber}>{isRunning(backup) ? '' : formatValue(backup.sizeInBytes, 'bytes')}</td>
              <td className={base.tableNumber}>{formatValue(backup.durationInSeconds, 's')}</td>
              <td data-actions className={base.tableNumber}>
                {backup.status === 'done' && (
                  <LinkButton
                    size="small"
                    to={paths.restoreService(connectionId, service.id, backup.id)}
                    aria-label={`Restore as a new service: backup of ${backup.startedAt ?? backup.id}`}
                  >
                    Restore as a new service
                  </LinkButton>
                )}
              </td>
            </tr>
          ))}
        </SmallTable>
      )}
    </Panel>
  )
}
