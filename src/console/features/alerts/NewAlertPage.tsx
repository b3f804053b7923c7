import { Page } from '#console/ui/Page.tsx'

export default function NewAlertPage() {
  return <Page title="New alert">{null}</Page>
}
