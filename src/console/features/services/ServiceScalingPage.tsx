import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { withMemoryBounds } from './model/replicaMemory.ts'
import { serviceReads, serviceResource, serviceKey } from './model/serviceResource.ts'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { call } from '#console/api/call.ts'
import { curlOf } from '#console/api/curl.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ScalingPage } from '#console/records/scaling/ScalingPage.tsx'
import { formatSizeValue, sizeTitles } from '#console/records/scaling/sizeFields.ts'
import { useScaling, type ScalingTarget } from '#console/records/scaling/useScaling.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { changeCount } from '#console/ui/ChangeTable.tsx'
import { sameValue } from '#console/ui/form/values.ts'
import { Column } from '#console/ui/layout/Column.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { effectiveService, replicaScalingInput, services, type Service } from '#contract/cloud/services/services.ts'
import { serviceName, stateLabel, stateTone } from './model/serviceLabels.ts'
import { useServiceLoad } from './model/useServiceLoad.ts'
import { LastDayCost, ServiceCostPanel } from './scaling/ServiceCostPanel.tsx'
import { totalMemoryOf } from './scaling/serviceCost.ts'
import { ReplicaFields } from './scaling/ReplicaFields.tsx'
import {
  formOf,
  formSchema,
  previousBody,
  readForm,
  replicaBody,
  replicaChanges,
  sizeOf,
  withPending,
  type ReplicaForm,
} from './scaling/replicaForm.ts'
import * as css from './services.module.css'

export { serviceReads as reads }

export default function ServiceScalingPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Scale service" nav={<ServiceTabs />}>
      {(service, { dataUpdatedAt, error }) => (
        <ReplicaScaling
          key={service.id}
          service={withMemoryBounds(service)}
          reportedAt={dataUpdatedAt}
          unreachable={error !== null}
        />
      )}
    </ResourceLoader>
  )
}

interface ReplicaScalingProps {
  service: Service
  /** Epoch milliseconds. */
  reportedAt: number
  unreachable: boolean
}

/** The scaling page of a service: replicas, memory and idling. */
function ReplicaScaling({ service, reportedAt, unreachable }: ReplicaScalingProps) {
  const connection = useConnection()
  const target = replicaTarget(connection, service, reportedAt)
  const scaling = useScaling(target)
  const { form, draft, values, expected, effective, changes } = scaling
  const params = { serviceId: service.id }
  return (
    <ScalingPage
      wide
      target={target}
      scaling={scaling}
      title={`Scale ${serviceName(service)}`}
      state={<StatusChip tone={stateTone(service.state)}>{stateLabel(service.state)}</StatusChip>}
      lead="New replicas start before old ones are removed. Running queries can delay this by up to an hour."
      nav={<ServiceTabs />}
      action="Scale service"
      summary={`${changeCount(changes)}${changes.length > 0 ? ' · 1 API request' : ''}`}
      command={(values) => {
        const { data: body } = replicaScalingInput.safeParse(values)
        return body ? curlOf(connection, services.replicaScaling, { params, body }) : null
      }}
      notes={<Text color="textSecondary">Other values stay unchanged.</Text>}
      back={paths.service(connection.id, service.id)}
      unreachable={unreachable}
    >
      <div className={css.replicaPanels}>
        <Column gap={16}>
          <ReplicaFields
            form={form}
            values={draft}
            service={expected}
            inForce={effective}
            load={useServiceLoad(service.id)}
            locked={lockReason(connection)}
          />
        </Column>
        <Column gap={12}>
          <ServiceCostPanel
            now={totalMemoryOf(effective)}
            after={totalMemoryOf({ ...expected, ...values })}
            idles={draft.idleScaling}
          />
          <LastDayCost serviceId={service.id} warehouseId={service.dataWarehouseId ?? null} />
        </Column>
      </div>
    </ScalingPage>
  )
}

function replicaTarget(
  connection: Connection,
  service: Service,
  reportedAt: number,
): ScalingTarget<Service, ReplicaForm, Service> {
  const params = { serviceId: service.id }
  return {
    resource: serviceKey(connection.id, service.id),
    noun: 'service',
    base: service,
    reportedAt,
    record: services.get.result,
    titles: sizeTitles,
    formatValue: formatSizeValue,
    effectiveOf: effectiveService,
    expectedOf: (record, _, pending) => withPending(record, pending),
    sizeOf,
    start: readForm,
    schema: formSchema,
    values: replicaBody,
    formOf,
    changes: replicaChanges,
    previous: previousBody,
    revert: (change, expected) => {
      const { data } = replicaScalingInput.safeParse(change.previous)
      return data && replicaChanges(data, expected).length > 0 ? data : null
    },
    unchanged: (now, sent) => sameValue(previousBody(sent, now), previousBody(sent, service)),
    read: () => call(connection.id, services.get, { params }, { priority: 'readBack' }),
    write: (sent, current) =>
      call(
        connection.id,
        services.replicaScaling,
        { params, body: replicaScalingInput.parse(sent) },
        { base: current, titles: sizeTitles },
      ),
    keep: (now) => void queryClient.setQueryData(q(connection.id, services.get, { params }).queryKey, now),
    reload: () => void invalidate(connection.id, 'services'),
  }
}
