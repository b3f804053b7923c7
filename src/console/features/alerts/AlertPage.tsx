import { Page } from '#console/ui/Page.tsx'

export default function AlertPage() {
  return <Page title="Alert">{null}</Page>
}
