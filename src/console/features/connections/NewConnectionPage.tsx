import { Page } from '#console/ui/Page.tsx'

export default function NewConnectionPage() {
  return <Page title="New connection">{null}</Page>
}
