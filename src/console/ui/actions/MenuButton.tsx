import Button from '@mui/material/Button'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'

export interface MenuChoice {
  icon: LucideIcon
  label: string
  /** What it does, in a few words under it. */
  detail: string
  run: () => unknown
  /** Why it cannot be chosen. */
  disabled?: string | undefined
}

/** A button with a menu. Unavailable items are listed with their reason. */
export function MenuButton({ icon: Icon, label, choices }: { icon: LucideIcon; label: string; choices: MenuChoice[] }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Button
        startIcon={<Icon size={14} aria-hidden />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {label}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {choices.map(({ icon: ChoiceIcon, label: choice, detail, run, disabled }) => (
          <MenuItem
            key={choice}
            aria-disabled={disabled !== undefined}
            onClick={() => {
              if (disabled !== undefined) return
              setAnchor(null)
              void run()
            }}
          >
            <ChoiceIcon size={15} aria-hidden />
            <span>
              {choice}
              <small style={{ display: 'block', opacity: 0.75, whiteSpace: 'normal' }}>{disabled ?? detail}</small>
            </span>
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
