import { Page } from '#console/ui/Page.tsx'

export default function ConnectionsPage() {
  return <Page title="Connections">{null}</Page>
}
