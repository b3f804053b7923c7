import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { hasStreamPosition } from '../model/streamKinds.ts'
import { BadRecordsPanel } from './BadRecordsPanel.tsx'
import { StreamPosition } from './StreamPosition.tsx'

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
