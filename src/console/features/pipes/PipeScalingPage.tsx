import { PipeLoader, readPipe } from './PipeLoader.tsx'
import { PipeScaling } from './scaling/PipeScaling.tsx'

export { readPipe as reads }

export default function PipeScalingPage() {
  return (
    <PipeLoader title="Scale data pipe">
      {(pipe, { dataUpdatedAt, error }) => (
        <PipeScaling key={pipe.id} pipe={pipe} reportedAt={dataUpdatedAt} unreachable={error !== null} />
      )}
    </PipeLoader>
  )
}
