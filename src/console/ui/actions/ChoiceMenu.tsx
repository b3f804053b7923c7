import { visibleText } from '#domain/text/visibleText.ts'
import MenuItem from '@mui/material/MenuItem'
import { Menu } from '../mui/Menu.tsx'
import * as css from './actions.module.css'
import type { MenuChoice } from './actions.ts'

interface ChoiceMenuProps {
  anchor: HTMLElement
  choices: readonly MenuChoice[]
  onClose: () => void
}

/** The menu of a button. Unavailable items are listed with their reason. */
export function ChoiceMenu({ anchor, choices, onClose }: ChoiceMenuProps) {
  return (
    <Menu open anchorEl={anchor} onClose={onClose}>
      {choices.map(({ id, icon: Icon, label, detail, run, disabled }) => (
        <MenuItem
          key={id ?? label}
          aria-disabled={disabled !== undefined}
          onClick={() => {
            if (disabled !== undefined) return
            onClose()
            void run()
          }}
        >
          <Icon size={15} aria-hidden className={css.choiceMenuIcon} />
          <span>
            {visibleText(label)}
            <small className={css.choiceMenuDetail}>{disabled ?? detail}</small>
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}
