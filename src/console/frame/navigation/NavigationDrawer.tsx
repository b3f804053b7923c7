import { Drawer } from '#console/ui/mui/Drawer.tsx'
import { Navigation } from './Navigation.tsx'

/** The navigation on a phone: over the page, from the left. */
export function NavigationDrawer({ close }: { close: () => void }) {
  return (
    <Drawer open onClose={close}>
      <Navigation collapsed={false} width={240} />
    </Drawer>
  )
}
