import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'

const ConditionSyntax = lazyComponent(async () => (await import('./ConditionSyntax.tsx')).ConditionSyntax)

/** Opens the syntax of conditions. */
export function ConditionHelp() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton
        aria-label="Condition help"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onPointerEnter={ConditionSyntax.preload}
        onFocus={ConditionSyntax.preload}
        onClick={(event) => setAnchor(event.currentTarget)}
        size="small"
      >
        <CircleHelp size={15} aria-hidden />
      </IconButton>
      {anchor && <ConditionSyntax anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  )
}
