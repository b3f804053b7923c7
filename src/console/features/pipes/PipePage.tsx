import { PipeDetail } from './PipeDetail.tsx'
import { PipeGate, readPipe } from './PipeGate.tsx'

export { readPipe as reads }

export default function PipePage() {
  return <PipeGate title="Data pipe">{(pipe) => <PipeDetail pipe={pipe} />}</PipeGate>
}
