import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { useFeatureOffer } from '#console/api/offers.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import table from '#console/ui/base/table.module.css'
import { counted } from '#console/ui/format.ts'
import { hint } from '#console/ui/hint/hint.ts'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { BadRecord, ConsumerGroup } from '#contract/pipeConsumers.ts'
import { pipeKind } from '#contract/pipeKinds.ts'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { ShardsPanel } from './ShardsPanel.tsx'
import css from './StreamPanels.module.css'

const ResetDialog = lazyComponent(async () => (await import('./ResetDialog.tsx')).ResetDialog)

/** How often the position is read, in milliseconds. */
const refetchMs = 5000

/** Where a Kafka or Kinesis pipe is in its source, and the records that it could not load. Only the stack reports them. */
export function StreamPanels({ pipe }: { pipe: Pipe }) {
  const connection = useConnection()
  const params = usePipeParams(pipe)
  const isOffered = useFeatureOffer(connection, pipes.consumerGroup)
  return isOffered ? (
    <>
      {pipeKind(pipe) === 'kinesis' ? (
        <ShardsPanel params={params} refetchMs={refetchMs} />
      ) : (
        <ConsumerGroupPanel pipe={pipe} />
      )}
      <BadRecordsPanel pipe={pipe} />
    </>
  ) : null
}

function usePipeParams(pipe: Pipe) {
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
    total === null || partitions.length === 0 ? 'Lag is known while the pipe runs' : `Lag: ${counted(total, 'record')}`
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
      className={css.scroller}
    >
      {partitions.map(({ partition, offset, end, lag, consumer }) => (
        <tr key={partition}>
          <td>{partition}</td>
          <td className={table.number}>{offset.toLocaleString('en')}</td>
          <td className={table.number}>{end === null ? '–' : end.toLocaleString('en')}</td>
          <td className={table.number}>{lag === null ? '–' : lag.toLocaleString('en')}</td>
          <td>{consumer === null ? '–' : consumer + 1}</td>
        </tr>
      ))}
    </SmallTable>
  )
}

function BadRecordsPanel({ pipe }: { pipe: Pipe }) {
  const connection = useConnection()
  const params = usePipeParams(pipe)
  const { data, error } = useQuery({ ...q(connection.id, pipes.badRecords, { params }), refetchInterval: refetchMs })
  const resend = useMutation({
    mutationFn: () => call(connection.id, pipes.resendBadRecords, { params }),
    onSuccess: () =>
      toast({ tone: 'ok', text: 'The bad records are loaded again. Those that are still bad stay here.' }),
    onError: (problem) => toast({ tone: 'bad', text: formatError(problem).sentence }),
    onSettled: () => invalidate(connection.id, 'pipes'),
  })
  const reason =
    lockReason(connection) ?? (pipe.state === 'Running' ? undefined : 'The pipe loads them again while it runs.')
  return (
    <Panel title="Bad records" aside={data?.length || undefined} flush>
      {error && !data && <PanelText>Could not be read. {formatError(error).sentence}</PanelText>}
      {data?.length === 0 && <PanelText>None in the last seven days.</PanelText>}
      {data && data.length > 0 && (
        <SmallTable label="Bad records" heads={['Offset', 'Reason and value', 'Read', 'Copy']} className={css.scroller}>
          {data.map((record) => (
            <BadRecordRow key={`${record.topic} ${record.partition} ${record.offset}`} record={record} />
          ))}
        </SmallTable>
      )}
      {data && data.length > 0 && pipeKind(pipe) === 'kafka' && (
        <Row className={css.foot}>
          <span>Once their cause is fixed, they can be loaded again.</span>
          <Button
            disabled={reason !== undefined || resend.isPending}
            {...(reason && hint(reason))}
            onClick={() => resend.mutate()}
          >
            Load again
          </Button>
        </Row>
      )}
    </Panel>
  )
}

function BadRecordRow({ record }: { record: BadRecord }) {
  const { partition, offset, reason, raw, at } = record
  return (
    <tr>
      <td className={css.position}>
        {partition}:{offset}
      </td>
      <td>
        {reason}
        <code className={css.raw}>{raw}</code>
      </td>
      <td>
        <Timestamp iso={at} />
      </td>
      <td>
        <CopyButton compact label={`Copy record ${partition}:${offset}`} text={raw} />
      </td>
    </tr>
  )
}
