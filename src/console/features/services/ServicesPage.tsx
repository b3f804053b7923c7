import { Page } from '#console/ui/Page.tsx'

export default function ServicesPage() {
  return <Page title="Services">{null}</Page>
}
