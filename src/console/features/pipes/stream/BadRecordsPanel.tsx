import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { download } from '#console/ui/download.ts'
import { hint } from '#console/ui/hint/hint.ts'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { shownBadRecords, type BadRecord } from '#contract/cloud/pipes/pipeConsumers.ts'
import { pipeKind, type PipeKind } from '#contract/cloud/pipeKinds.ts'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { hasStreamPosition } from '../model/streamKinds.ts'
import { refetchMs, usePipeParams } from './StreamPosition.tsx'
import * as css from '../pipes.module.css'

/** How the bad records of a kind of pipe are shown. */
interface BadRecordKind {
  /** The heading of the column with the places of the records. */
  head: string
  placeOf(record: BadRecord): string
  advice: string
  /** Whether the pipe can read them from its source again. */
  canLoadAgain: boolean
}

const streamPlace = ({ partition, offset }: BadRecord) => `${partition}:${offset}`
const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

const kafka: BadRecordKind = {
  head: 'Offset',
  placeOf: streamPlace,
  advice: 'Once their cause is fixed, they can be loaded again, as far as the topic still has them.',
  canLoadAgain: true,
}
const kinds: Partial<Record<PipeKind, BadRecordKind>> = {
  kafka,
  kinesis: {
    head: 'Record',
    placeOf: streamPlace,
    advice: 'Once their cause is fixed, they can be loaded again, as far as the stream still has them.',
    canLoadAgain: true,
  },
  objectStorage: {
    head: 'File and line',
    placeOf: ({ topic, offset }) => `${fileName(topic)}:${offset}`,
    advice: 'Once the table or the file is corrected, they can be loaded again.',
    canLoadAgain: true,
  },
  postgres: {
    head: 'Row',
    placeOf: ({ topic, partition, offset }) => `${topic}: ${partition === '' ? offset : `${partition} = ${offset}`}`,
    advice:
      'Correct these rows at the source: each is loaded with its change or, where changes are not followed, by a resync. They stay in this list for seven days.',
    canLoadAgain: false,
  },
}

/** The records of a pipe that it could not load, and what to do about them. Only the stack reports them. */
export function BadRecordsPanel({ pipe }: { pipe: Pipe }) {
  const connection = useConnection()
  const { data, error } = useQuery({
    ...q(connection.id, pipes.badRecords, { params: usePipeParams(pipe) }),
    refetchInterval: refetchMs,
  })
  const { head, placeOf, advice, canLoadAgain } = kinds[pipeKind(pipe) ?? 'kafka'] ?? kafka
  const count = data?.length ?? 0
  return (
    <Panel title="Bad records" aside={count < shownBadRecords ? count || undefined : `The newest ${count}`} flush>
      {error && !data && <PanelText>Could not be read. {formatError(error).sentence}</PanelText>}
      {!error && !data && <PanelText>Loading…</PanelText>}
      {data?.length === 0 && <PanelText>None in the last seven days.</PanelText>}
      {data && count > 0 && (
        <>
          <SmallTable
            label="Bad records"
            heads={[head, 'Reason and value', 'Read', { title: 'Copy', hidden: true }]}
            className={css.streamScroller}
          >
            {data.map((record) => (
              <BadRecordRow
                key={`${record.topic} ${record.partition} ${record.offset}`}
                record={record}
                place={placeOf(record)}
              />
            ))}
          </SmallTable>
          <Row className={css.foot}>
            <span className={css.streamAdvice}>{advice}</span>
            <Row>
              <Button startIcon={<Download size={14} aria-hidden />} onClick={() => save(data)}>
                Download
              </Button>
              {canLoadAgain && <LoadAgain pipe={pipe} />}
            </Row>
          </Row>
        </>
      )}
    </Panel>
  )
}

function save(records: readonly BadRecord[]): void {
  const lines = records.map((record) => `${JSON.stringify(record)}\n`)
  download('bad-records.jsonl', 'application/x-ndjson', lines.join(''))
}

function LoadAgain({ pipe }: { pipe: Pipe }) {
  const connection = useConnection()
  const params = usePipeParams(pipe)
  const resend = useMutation({
    mutationFn: () => call(connection.id, pipes.resendBadRecords, { params }),
    onSuccess: () =>
      toast({ tone: 'ok', text: 'The bad records are loaded again. Those that are still bad stay here.' }),
    onError: (problem) => toast({ tone: 'bad', text: formatError(problem).sentence }),
    onSettled: () => invalidate(connection.id, 'pipes'),
  })
  const isReady = pipe.state === 'Running' || (!hasStreamPosition(pipe) && pipe.state === 'Completed')
  const reason = lockReason(connection) ?? (isReady ? undefined : 'The pipe loads them again while it runs.')
  return (
    <Button
      disabled={reason !== undefined || resend.isPending}
      {...(reason && hint(reason))}
      onClick={() => resend.mutate()}
    >
      Load again
    </Button>
  )
}

function BadRecordRow({ record: { reason, raw, at }, place }: { record: BadRecord; place: string }) {
  return (
    <tr>
      <td className={css.position}>{place}</td>
      <td className={css.streamReason}>
        {reason}
        <code className={css.raw}>{raw}</code>
      </td>
      <td>
        <Timestamp iso={at} />
      </td>
      <td data-actions="">
        <CopyButton compact label={`Copy record ${place}`} text={raw} />
      </td>
    </tr>
  )
}
