import { useQuery } from '@tanstack/react-query'
import { call } from '#console/api/call.ts'
import { curlOf } from '#console/api/curl.ts'
import { asFailure } from '#console/api/failure.ts'
import { q, readAhead } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { lookAgainIn, progressOf, useAsked } from '#console/shell/convergence.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { RecordGate } from '#console/shell/RecordGate.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/Page.tsx'
import { cdcRatioProblem, cdcScalingInput, type CdcScaling } from '#contract/pipeScaling.ts'
import { pipes } from '#contract/pipes.ts'
import { services } from '#contract/services.ts'
import { cdcInForce, cdcKnobs, type Values } from './scaling/knobs.ts'
import { ScalingScreen } from './scaling/ScalingScreen.tsx'
import { SharedPanels } from './SharedPanels.tsx'

export function reads({ connectionId = '', serviceId = '' }: Record<string, string>) {
  readAhead(connectionId, pipes.cdcScaling, { params: { serviceId } })
  // For its name, above.
  readAhead(connectionId, services.get, { params: { serviceId } })
}

const title = 'Size of the database pipes'

/** The one size that all database pipes of a service share. */
export default function PipeSizePage() {
  const connection = useConnection()
  const serviceId = useRouteParam('serviceId')
  const thing = `${connection.id}/pipeSize/${serviceId}`
  const asked = useAsked(thing)
  const input = { params: { serviceId } }
  const query = useQuery({
    ...q(connection.id, pipes.cdcScaling, input),
    refetchInterval: ({ state: { data } }) => {
      const now = Date.now()
      return asked && data && progressOf(asked, data, now).state !== 'reached' ? lookAgainIn(asked, now) : false
    },
  })
  const { data, error, dataUpdatedAt } = query
  if (!data && error && asFailure(error).code === 'notFound') {
    return (
      <Page title={title}>
        <EmptyState
          title="No database pipes yet"
          action={<LinkButton to={paths.pipes(connection.id)}>All data pipes</LinkButton>}
        >
          The service has this size from its first Postgres, MySQL, MongoDB or BigQuery pipe on.
        </EmptyState>
      </Page>
    )
  }
  const send = async (values: Record<string, number>) => {
    const changed = await call(connection.id, pipes.updateCdcScaling, { ...input, body: cdcScalingInput.parse(values) })
    queryClient.setQueryData(q(connection.id, pipes.cdcScaling, input).queryKey, changed)
  }
  const command = (values: Record<string, number>) => {
    const body = cdcScalingInput.safeParse(values)
    return body.success ? curlOf(connection, pipes.updateCdcScaling, { ...input, body: body.data }) : null
  }
  const screen = (size: CdcScaling) => (
    <ScalingScreen
      target={{ thing, knobs: cdcKnobs, current: cdcInForce(size), reportedAt: dataUpdatedAt, send, whole: ratio }}
      title={title}
      state={null}
      lead="All Postgres, MySQL, MongoDB and BigQuery pipes of the service run on this size together: the first copy and the changes after it."
      inert={[]}
      sizeName={() => null}
      sizeOf={sizeOf}
      command={command}
      couple={coupled}
      action="Scale database pipes"
      back={paths.service(connection.id, serviceId)}
      blind={error !== null}
      aside={<SharedPanels serviceId={serviceId} />}
    />
  )
  return (
    <RecordGate title={title} read={query} list={{ to: paths.pipes(connection.id), label: 'All data pipes' }}>
      {screen}
    </RecordGate>
  )
}

const sharedSize = (values: Values): CdcScaling => ({
  replicaCpuMillicores: values.replicaCpuMillicores ?? 0,
  replicaMemoryGb: values.replicaMemoryGb ?? 0,
})

const sizeOf = (values: Values) => ({ replicas: 1, ...sharedSize(values) })

const ratio = (values: Values) => cdcRatioProblem(sharedSize(values))

/** Memory is four times the cores: one moves the other. */
function coupled(field: string, value: number): Record<string, number> {
  return field === 'replicaMemoryGb' ? { replicaCpuMillicores: value * 250 } : { replicaMemoryGb: value / 250 }
}
