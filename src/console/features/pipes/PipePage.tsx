import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { PipeDetail } from './detail/PipeDetail.tsx'
import { pipeReads, pipeResource } from './model/pipeResource.ts'

export { pipeReads as reads }

export default function PipePage() {
  return <ResourceLoader resource={pipeResource}>{(pipe) => <PipeDetail pipe={pipe} />}</ResourceLoader>
}
