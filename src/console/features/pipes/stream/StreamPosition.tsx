import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { q } from '#console/api/queries.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import * as base from '#console/ui/base/base.module.css'
import { counted, plural } from '#domain/text/words.ts'
import { hint } from '#console/ui/hint/hint.ts'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { ConsumerGroup } from '#contract/cloud/pipes/pipeConsumers.ts'
import { pipeKind } from '#contract/cloud/pipeKinds.ts'
import { pipes, simulatedDetail, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { formatValue } from '#domain/charts/units.ts'
import { ShardsPanel } from './ShardsPanel.tsx'
import * as css from '../pipes.module.css'

const ResetDialog = lazyComponent(async () => (await import('./ResetDialog.tsx')).ResetDialog)

/** How often the position and the bad records are read, in milliseconds. */
export const refetchMs = 5000

/** Where a Kafka or Kinesis pipe is in its source, and its lag. Only the stack reports it. */
export function StreamPosition({ pipe }: { pipe: Pipe }) {
  const params = usePipeParams(pipe)
  const isOffered = useFeatureOffer(useConnection(), pipes.consumerGroup)
  // A simulated pipe has no position: the pages say that it is.
  if (!isOffered || pipe.stateDetail === simulatedDetail) return null
  return pipeKind(pipe) === 'kinesis' ? (
    <ShardsPanel params={params} refetchMs={refetchMs} />
  ) : (
    <ConsumerGroupPanel pipe={pipe} />
  )
}

export function usePipeParams(pipe: Pipe) {
  return { serviceId: useRouteParam('serviceId'), dataPipeId: pipe.id }
}

function ConsumerGroupPanel({ pipe }: { pipe: Pipe }) {
  const connection = useConnection()
  const params = usePipeParams(pipe)
  const [isResetting, setResetting] = useState(false)
  const { data, error } = useQuery({
    ...q(connection.id, pipes.consumerGroup, { params }),
    refetchInterval: refetchMs,
  })
  const isStopped = pipe.state === 'Stopped' || pipe.state === 'Failed'
  const reason = lockReason(connection) ?? (isStopped ? undefined : 'Stop the pipe to reset it.')
  return (
    <Panel title="Consumer group" aside={data?.groupId} flush>
      {error && !data && <PanelText>Could not be read. {formatError(error).sentence}</PanelText>}
      {!error && !data && <PanelText>Loading…</PanelText>}
      {data && <Partitions group={data} />}
      {data && (
        <Row className={css.foot}>
          <span>{summaryOf(data)}</span>
          <Button disabled={reason !== undefined} {...(reason && hint(reason))} onClick={() => setResetting(true)}>
            Reset offsets…
          </Button>
        </Row>
      )}
      {isResetting && <ResetDialog pipe={pipe} params={params} onClose={() => setResetting(false)} />}
    </Panel>
  )
}

function summaryOf({ partitions, consumers }: ConsumerGroup): string {
  const lags = partitions.map(({ lag }) => lag)
  const total = lags.every((lag) => lag !== null) ? lags.reduce<number>((sum, lag) => sum + (lag ?? 0), 0) : null
  const lag =
    total === null || partitions.length === 0
      ? 'Lag is known while the pipe runs'
      : `Lag: ${formatValue(total)} ${total === 1 ? 'record' : plural('record')}`
  const idle = consumers - partitions.length
  return idle > 0 && partitions.length > 0
    ? `${lag}. ${counted(idle, 'replica')} beyond the number of partitions ${idle === 1 ? 'does' : 'do'} nothing.`
    : `${lag}.`
}

function Partitions({ group: { partitions } }: { group: ConsumerGroup }) {
  if (partitions.length === 0) return <PanelText>The pipe has not read its topic yet.</PanelText>
  return (
    <SmallTable
      label="Partitions"
      heads={[
        'Partition',
        { title: 'Next offset', number: true },
        { title: 'End', number: true },
        { title: 'Lag', number: true },
        'Replica',
      ]}
      className={css.streamScroller}
    >
      {partitions.map(({ partition, offset, end, lag, consumer }) => (
        <tr key={partition}>
          <td>{partition}</td>
          <td className={base.tableNumber}>{formatValue(offset)}</td>
          <td className={base.tableNumber}>{formatValue(end)}</td>
          <td className={base.tableNumber}>{formatValue(lag)}</td>
          <td>{consumer === null ? '–' : consumer + 1}</td>
        </tr>
      ))}
    </SmallTable>
  )
}
