import { SourceDetail } from './SourceDetail.tsx'
import { SourceLoader } from './SourceLoader.tsx'
import { readSources } from './useSources.ts'

export { readSources as reads }

export default function SourcePage() {
  return <SourceLoader title="Source">{(source) => <SourceDetail source={source} />}</SourceLoader>
}
