import { Page } from '#console/ui/Page.tsx'

export default function DashboardsPage() {
  return <Page title="Dashboards">{null}</Page>
}
