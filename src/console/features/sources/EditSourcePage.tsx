import { EditSource } from './EditSource.tsx'
import { SourceLoader } from './SourceLoader.tsx'
import { readSources } from './useSources.ts'

export { readSources as reads }

export default function EditSourcePage() {
  return <SourceLoader title="Edit source">{(source) => <EditSource key={source.id} read={source} />}</SourceLoader>
}
