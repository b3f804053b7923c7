import { Page } from '#console/ui/Page.tsx'

export default function EditConnectionPage() {
  return <Page title="Edit connection">{null}</Page>
}
