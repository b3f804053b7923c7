import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import { Menu } from '#console/ui/mui/Menu.tsx'
import MenuItem from '@mui/material/MenuItem'
import { Group, PanelTop, Plus } from 'lucide-react'
import { useState } from 'react'
import { MenuDivider } from '#console/ui/actions/MenuDivider.tsx'
import { otherTiles, type TileKind, tileKinds } from './tileKinds.ts'
import { Button } from '#console/ui/base/Button.tsx'

interface AddTileButtonProps {
  onAdd: (kind: string) => void
  /** Set if a group can be added too: with this many tabs, none or two. */
  onAddGroup?: (tabs: number) => void
  /** A quiet button, for the head of a group. */
  quiet?: boolean
}

const groups = [
  { kind: 'group', label: 'Section', detail: 'Tiles that can be collapsed together', icon: Group, tabs: 0 },
  { kind: 'tabs', label: 'Section with tabs', detail: 'Tiles on several tabs', icon: PanelTop, tabs: 2 },
] as const

/** Selects the type of a new tile. */
export function AddTileButton({ onAdd, onAddGroup, quiet = false }: AddTileButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const item = ({ kind, label, detail, icon: Icon }: TileKind, run: () => void) => (
    <MenuItem
      key={kind}
      onClick={() => {
        setAnchor(null)
        run()
      }}
    >
      <ListItemIcon>
        <Icon size={15} aria-hidden />
      </ListItemIcon>
      <ListItemText secondary={detail}>{label}</ListItemText>
    </MenuItem>
  )
  return (
    <>
      <Button
        {...(quiet ? {} : { variant: 'contained', color: 'primary' })}
        startIcon={<Plus size={14} aria-hidden />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Add tile
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {tileKinds.map((kind) => item(kind, () => onAdd(kind.kind)))}
        <MenuDivider />
        {otherTiles.map((kind) => item(kind, () => onAdd(kind.kind)))}
        {onAddGroup && <MenuDivider />}
        {onAddGroup && groups.map(({ tabs, ...kind }) => item(kind, () => onAddGroup(tabs)))}
      </Menu>
    </>
  )
}
