import { Page } from '#console/ui/Page.tsx'

export default function AlertsPage() {
  return <Page title="Alerts">{null}</Page>
}
