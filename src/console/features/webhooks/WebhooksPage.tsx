import { Page } from '#console/ui/Page.tsx'

export default function WebhooksPage() {
  return <Page title="Webhooks">{null}</Page>
}
