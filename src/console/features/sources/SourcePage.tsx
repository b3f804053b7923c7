import { SourceDetail } from './SourceDetail.tsx'
import { SourceGate } from './SourceGate.tsx'
import { readSources } from './useSources.ts'

export { readSources as reads }

export default function SourcePage() {
  return <SourceGate title="Source">{(source) => <SourceDetail source={source} />}</SourceGate>
}
