import { Monitor } from 'lucide-react'
import { useState } from 'react'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { useThemeMode } from '#console/ui/theme/themeMode.ts'
import { themeModes } from '../themeModes.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'

const SettingsMenu = lazyComponent(async () => (await import('./SettingsMenu.tsx')).SettingsMenu)

/** Opens theme, help and sign-out; its icon shows the theme. */
export function SettingsButton() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const mode = useThemeMode()
  const Current = themeModes.find((one) => one.mode === mode)?.Icon ?? Monitor
  return (
    <>
      <IconButton
        {...hint('Theme and session')}
        aria-label="Theme and session"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={SettingsMenu.preload}
        onFocus={SettingsMenu.preload}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Current size={16} aria-hidden />
      </IconButton>
      {anchor && <SettingsMenu anchor={anchor} close={() => setAnchor(null)} />}
    </>
  )
}
