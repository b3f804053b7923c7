import { Page } from '#console/ui/layout/Page.tsx'
import { ConnectionEditor } from './ConnectionEditor.tsx'

/** Adds a deployment to the console. */
export default function NewConnectionPage() {
  return (
    <Page title="New connection" lead="The address of a deployment and a key for its API.">
      <ConnectionEditor />
    </Page>
  )
}
