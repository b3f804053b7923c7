import { Page } from '#console/ui/Page.tsx'

export default function EditAlertPage() {
  return <Page title="Edit alert">{null}</Page>
}
