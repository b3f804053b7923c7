import { PipeDetail } from './detail/PipeDetail.tsx'
import { PipeLoader, readPipe } from './PipeLoader.tsx'

export { readPipe as reads }

export default function PipePage() {
  return <PipeLoader title="Data pipe">{(pipe) => <PipeDetail pipe={pipe} />}</PipeLoader>
}
