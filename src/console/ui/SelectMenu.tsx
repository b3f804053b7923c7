import { visibleText } from '#domain/text/visibleText.ts'
import MenuItem from '@mui/material/MenuItem'
import { Menu } from './mui/Menu.tsx'

interface SelectMenuProps {
  anchor: HTMLElement
  /** The ID of the input. */
  id: string
  value: string
  options: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
  onClose: () => void
}

/** The list of a select input. */
export function SelectMenu({ anchor, id, value, options, onChoose, onClose }: SelectMenuProps) {
  return (
    <Menu
      open
      anchorEl={anchor}
      onClose={onClose}
      slotProps={{
        list: { id: `${id}-list`, role: 'listbox', 'aria-labelledby': `${id}-label` },
        paper: { style: { minWidth: anchor.offsetWidth } },
      }}
    >
      {options.map((option) => (
        <MenuItem
          key={option.value}
          role="option"
          aria-selected={option.value === value}
          selected={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {visibleText(option.label)}
        </MenuItem>
      ))}
    </Menu>
  )
}
