import { ResourceLoader } from '#console/shell/record/RecordLoader.tsx'
import { PipeDetail } from './detail/PipeDetail.tsx'
import { pipeReads, pipeResource } from './model/pipeResource.ts'

export { pipeReads as reads }

export default function PipePage() {
  return <ResourceLoader resource={pipeResource}>{(pipe) => <PipeDetail pipe={pipe} />}</ResourceLoader>
}
