import { useQuery } from '@tanstack/react-query'
import { formatError } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import * as base from '#console/ui/base/base.module.css'
import { counted } from '#domain/text/words.ts'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { StreamShards } from '#contract/cloud/pipes/pipeConsumers.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { formatShort } from '#domain/charts/units.ts'
import * as css from '../pipes.module.css'

interface ShardsPanelProps {
  params: { serviceId: string; dataPipeId: string }
  /** How often the position is read, in milliseconds. */
  refetchMs: number
}

/** Where a Kinesis pipe is in each shard of its stream. */
export function ShardsPanel({ params, refetchMs }: ShardsPanelProps) {
  const connection = useConnection()
  const { data, error } = useQuery({ ...q(connection.id, pipes.shards, { params }), refetchInterval: refetchMs })
  const hasShards = data !== undefined && data.shards.length > 0
  return (
    <Panel title="Shards" aside={data?.stream} flush>
      {error && !data && <PanelText>Could not be read. {formatError(error).sentence}</PanelText>}
      {!error && !data && <PanelText>Loading…</PanelText>}
      {data?.shards.length === 0 && <PanelText>The pipe has not read its stream yet.</PanelText>}
      {hasShards && <ShardsTable shards={data.shards} />}
      {hasShards && <Row className={css.foot}>{summaryOf(data)}</Row>}
    </Panel>
  )
}

function ShardsTable({ shards }: { shards: StreamShards['shards'] }) {
  return (
    <SmallTable
      label="Shards"
      heads={['Shard', 'Last sequence number', { title: 'Lag', number: true }, 'Replica']}
      className={css.streamScroller}
    >
      {shards.map(({ shard, sequenceNumber, ended, lagMs, replica }) => (
        <tr key={shard}>
          <td>{shard}</td>
          <td>{ended ? 'Read to its end' : <span className={css.sequence}>{sequenceNumber ?? '–'}</span>}</td>
          <td className={base.tableNumber}>{lagMs === null ? '–' : formatLag(lagMs)}</td>
          <td>{replica === null ? '–' : replica + 1}</td>
        </tr>
      ))}
    </SmallTable>
  )
}

const formatLag = (ms: number) => (ms === 0 ? '0 s' : formatShort(ms, 'ms'))

function summaryOf({ shards, replicas }: StreamShards): string {
  if (replicas === 0) return 'Lag is known while the pipe runs.'
  const lags = shards.flatMap(({ lagMs }) => lagMs ?? [])
  const lag = lags.length === 0 ? 'Lag is not known yet.' : `Largest lag: ${formatLag(Math.max(...lags))}.`
  const idle = replicas - shards.filter(({ replica }) => replica !== null).length
  return idle > 0
    ? `${lag} ${counted(idle, 'replica')} beyond the number of shards ${idle === 1 ? 'does' : 'do'} nothing.`
    : lag
}
