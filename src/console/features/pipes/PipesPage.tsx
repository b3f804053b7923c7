import { Page } from '#console/ui/Page.tsx'

export default function PipesPage() {
  return <Page title="Data pipes">{null}</Page>
}
