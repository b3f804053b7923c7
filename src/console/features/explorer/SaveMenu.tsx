import { Bell, LayoutDashboard, Save } from 'lucide-react'
import { useState } from 'react'
import { lockReason } from '#console/shell/lockReason.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import type { ExplorerState } from './state.ts'

const SaveTileDialog = lazyComponent(async () => (await import('./SaveTileDialog.tsx')).SaveTileDialog)

interface SaveMenuProps {
  connection: Connection
  state: ExplorerState
  sources: readonly Source[]
}

/** Saves the query at the deployment: as a tile, and as an alert on it. */
export function SaveMenu({ connection, state, sources }: SaveMenuProps) {
  const [purpose, setPurpose] = useState<'tile' | 'alert' | null>(null)
  const disabled = lockReason(connection)
  return (
    <>
      <MenuButton
        icon={Save}
        label="Save"
        choices={[
          {
            icon: LayoutDashboard,
            label: 'Save as tile',
            detail: 'on an existing or new dashboard',
            disabled,
            run: () => setPurpose('tile'),
          },
          {
            icon: Bell,
            label: 'Create alert',
            detail: 'on a tile with this query',
            disabled,
            run: () => setPurpose('alert'),
          },
        ]}
      />
      {purpose && <SaveTileDialog {...{ connection, state, sources, purpose }} onClose={() => setPurpose(null)} />}
    </>
  )
}
