import { hint } from '../hint/hint.ts'
import { TimerReset } from 'lucide-react'
import { useState } from 'react'
import { lazyComponent } from '../base/lazyComponent.tsx'
import { IconButton } from '../base/IconButton.tsx'
import { type Refresh, refreshLabels } from './refresh.ts'
import * as css from './time.module.css'

const RefreshMenu = lazyComponent(async () => (await import('./RefreshMenu.tsx')).RefreshMenu)

interface RefreshPickerProps {
  refresh: Refresh
  onChange: (refresh: Refresh) => void
}

/** Choice of the automatic refresh interval. */
export function RefreshPicker({ refresh, onChange }: RefreshPickerProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const label = `Auto refresh: ${refreshLabels[refresh].toLowerCase()}`
  return (
    <>
      <IconButton
        {...hint(label)}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        onPointerEnter={RefreshMenu.preload}
        onFocus={RefreshMenu.preload}
        className={css.intervalButton}
        data-on={refresh !== 'off'}
      >
        <TimerReset size={15} aria-hidden />
      </IconButton>
      {anchor && <RefreshMenu anchor={anchor} refresh={refresh} onChange={onChange} onClose={() => setAnchor(null)} />}
    </>
  )
}
