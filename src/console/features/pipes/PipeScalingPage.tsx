import { PipeGate, readPipe } from './PipeGate.tsx'
import { PipeScaling } from './scaling/PipeScaling.tsx'

export { readPipe as reads }

export default function PipeScalingPage() {
  return (
    <PipeGate title="Scale data pipe">
      {(pipe, { dataUpdatedAt, error }) => (
        <PipeScaling key={pipe.id} pipe={pipe} reportedAt={dataUpdatedAt} blind={error !== null} />
      )}
    </PipeGate>
  )
}
