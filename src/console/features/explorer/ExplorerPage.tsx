import { Page } from '#console/ui/Page.tsx'

export default function ExplorerPage() {
  return <Page title="Explorer">{null}</Page>
}
