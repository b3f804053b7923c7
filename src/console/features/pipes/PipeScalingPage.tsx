import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { pipeReads, pipeResource } from './model/pipeResource.ts'
import { PipeScaling } from './scaling/PipeScaling.tsx'

export { pipeReads as reads }

export default function PipeScalingPage() {
  return (
    <ResourceLoader resource={pipeResource} title="Scale data pipe">
      {(pipe, { dataUpdatedAt, error }) => (
        <PipeScaling key={pipe.id} pipe={pipe} reportedAt={dataUpdatedAt} unreachable={error !== null} />
      )}
    </ResourceLoader>
  )
}
