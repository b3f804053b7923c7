import type { LucideIcon } from 'lucide-react'
import type { MenuChoice } from './actions.ts'
import { useState } from 'react'
import { lazyComponent } from '../base/lazyComponent.tsx'
import { Button } from '#console/ui/base/Button.tsx'

const ChoiceMenu = lazyComponent(async () => (await import('./ChoiceMenu.tsx')).ChoiceMenu)

/** A button with a menu. Unavailable items are listed with their reason. */
export function MenuButton({ icon: Icon, label, choices }: { icon: LucideIcon; label: string; choices: MenuChoice[] }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Button
        startIcon={<Icon size={14} aria-hidden />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={ChoiceMenu.preload}
        onFocus={ChoiceMenu.preload}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {label}
      </Button>
      {anchor && <ChoiceMenu anchor={anchor} choices={choices} onClose={() => setAnchor(null)} />}
    </>
  )
}
