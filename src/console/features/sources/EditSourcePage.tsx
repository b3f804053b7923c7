import { EditSource } from './EditSource.tsx'
import { SourceGate } from './SourceGate.tsx'
import { readSources } from './useSources.ts'

export { readSources as reads }

export default function EditSourcePage() {
  return <SourceGate title="Edit source">{(source) => <EditSource key={source.id} read={source} />}</SourceGate>
}
