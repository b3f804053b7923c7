import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { useFeatureOffer } from '#console/api/features/useFeatureOffer.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { BadRecord } from '#contract/pipeConsumers.ts'
import { pipeKind } from '#contract/pipeKinds.ts'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { hasStreamPosition } from '../model/streamKinds.ts'
import { refetchMs, StreamPosition, usePipeParams } from './StreamPosition.tsx'
import css from './StreamPanels.module.css'

/** Where a Kafka or Kinesis pipe is in its source, and the records of a pipe that it could not load. Only the stack reports them. */
export function StreamPanels({ pipe }: { pipe: Pipe }) {
  const isOffered = useFeatureOffer(useConnection(), pipes.badRecords)
  return (
    <>
      {hasStreamPosition(pipe) && <StreamPosition pipe={pipe} />}
      {isOffered && <BadRecordsPanel pipe={pipe} />}
    </>
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
  const isOfFiles = pipeKind(pipe) === 'objectStorage'
  const isReady = pipe.state === 'Running' || (isOfFiles && pipe.state === 'Completed')
  const reason = lockReason(connection) ?? (isReady ? undefined : 'The pipe loads them again while it runs.')
  return (
    <Panel title="Bad records" aside={data?.length || undefined} flush>
      {error && !data && <PanelText>Could not be read. {formatError(error).sentence}</PanelText>}
      {data?.length === 0 && <PanelText>None in the last seven days.</PanelText>}
      {data && data.length > 0 && (
        <SmallTable
          label="Bad records"
          heads={[isOfFiles ? 'File and line' : 'Offset', 'Reason and value', 'Read', 'Copy']}
          className={css.scroller}
        >
          {data.map((record) => (
            <BadRecordRow
              key={`${record.topic} ${record.partition} ${record.offset}`}
              record={record}
              place={isOfFiles ? `${fileName(record.topic)}:${record.offset}` : `${record.partition}:${record.offset}`}
            />
          ))}
        </SmallTable>
      )}
      {data && data.length > 0 && (isOfFiles || pipeKind(pipe) === 'kafka') && (
        <Row className={css.foot}>
          <span>
            {isOfFiles
              ? 'Once the table or the file is corrected, they can be loaded again.'
              : 'Once their cause is fixed, they can be loaded again.'}
          </span>
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

const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function BadRecordRow({ record, place }: { record: BadRecord; place: string }) {
  const { reason, raw, at } = record
  return (
    <tr>
      <td className={css.position}>{place}</td>
      <td>
        {reason}
        <code className={css.raw}>{raw}</code>
      </td>
      <td>
        <Timestamp iso={at} />
      </td>
      <td>
        <CopyButton compact label={`Copy record ${place}`} text={raw} />
      </td>
    </tr>
  )
}
