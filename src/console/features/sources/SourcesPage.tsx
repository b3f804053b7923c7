import { Page } from '#console/ui/Page.tsx'

export default function SourcesPage() {
  return <Page title="Sources">{null}</Page>
}
