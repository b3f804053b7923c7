import IconButton from '@mui/material/IconButton'
import { useColorScheme } from '@mui/material/styles'
import { Monitor } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { hint } from './hint.ts'
import { themeModes } from './themeModes.ts'

const loadMenu = async () => ({ default: (await import('./SettingsMenu.tsx')).SettingsMenu })
const SettingsMenu = lazy(loadMenu)

/** Opens theme, help and sign-out; its icon shows the theme. */
export function SettingsButton() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const { mode } = useColorScheme()
  const Current = themeModes.find((one) => one.mode === mode)?.Icon ?? Monitor
  return (
    <>
      <IconButton
        {...hint('Theme and session')}
        aria-label="Theme and session"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Current size={16} aria-hidden />
      </IconButton>
      <Suspense fallback={null}>{anchor && <SettingsMenu anchor={anchor} close={() => setAnchor(null)} />}</Suspense>
    </>
  )
}
