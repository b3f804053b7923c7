import Button from '@mui/material/Button'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { tileKinds } from './newTile.ts'

interface AddTileButtonProps {
  onAdd: (kind: string) => void
  /** A quiet button, for the head of a group. */
  quiet?: boolean
}

/** Chooses the kind of a new tile. */
export function AddTileButton({ onAdd, quiet = false }: AddTileButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
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
        {tileKinds.map(({ kind, label, detail, icon: Icon }) => (
          <MenuItem
            key={kind}
            onClick={() => {
              setAnchor(null)
              onAdd(kind)
            }}
          >
            <ListItemIcon>
              <Icon size={15} aria-hidden />
            </ListItemIcon>
            <ListItemText secondary={detail}>{label}</ListItemText>
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
