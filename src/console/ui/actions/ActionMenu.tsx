import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { Action } from './actions.ts'
import { lazyComponent } from '../base/lazyComponent.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'

// Many rows have a menu and few are opened.
const ActionList = lazyComponent(async () => (await import('./ActionList.tsx')).ActionList)

/** The "…" button of a row. */
export function ActionMenu({ label, actions }: { label: string; actions: Action[] | (() => Action[]) }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        tabIndex={0}
        onPointerEnter={ActionList.preload}
        onFocus={ActionList.preload}
        onClick={(event) => {
          event.stopPropagation()
          setAnchor(event.currentTarget)
        }}
        size="small"
      >
        <Ellipsis size={16} aria-hidden />
      </IconButton>
      {anchor && (
        <ActionList
          anchor={anchor}
          actions={typeof actions === 'function' ? actions() : actions}
          onClose={() => setAnchor(null)}
        />
      )}
    </>
  )
}
