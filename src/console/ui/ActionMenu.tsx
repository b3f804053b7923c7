import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { Action } from './actions.ts'

/** The "…" button of a row. Actions that are disabled stay, with their reason under them. */
export function ActionMenu({ label, actions }: { label: string; actions: Action[] | (() => Action[]) }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  // Many rows have a menu and few are opened: what is in it is asked for when it is.
  const open = anchor === null ? [] : typeof actions === 'function' ? actions() : actions
  const firstDanger = open.findIndex((action) => action.danger)
  return (
    <>
      <IconButton
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        tabIndex={0}
        onClick={(event) => {
          event.stopPropagation()
          setAnchor(event.currentTarget)
        }}
        sx={{ width: 24, height: 24 }}
      >
        <Ellipsis size={16} aria-hidden />
      </IconButton>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={() => setAnchor(null)}>
          {open.flatMap((action, at) => [
            at === firstDanger && at > 0 ? <Divider key="danger" sx={{ my: 1 }} /> : null,
            <ActionItem key={action.label} action={action} close={() => setAnchor(null)} />,
          ])}
        </Menu>
      )}
    </>
  )
}

function ActionItem({ action, close, ...focus }: { action: Action; close: () => void }) {
  const { label, icon: Icon, run, disabled, danger } = action
  return (
    <MenuItem
      {...focus}
      aria-disabled={disabled !== undefined}
      onClick={(event) => {
        event.stopPropagation()
        if (disabled !== undefined) return
        close()
        run()
      }}
      sx={{
        color: danger && disabled === undefined ? 'error.main' : undefined,
        opacity: disabled === undefined ? 1 : 0.75,
      }}
    >
      {Icon && <Icon size={15} aria-hidden />}
      <span>
        {label}
        {disabled !== undefined && (
          <Typography component="span" variant="caption" color="textSecondary" sx={{ display: 'block' }}>
            {disabled}
          </Typography>
        )}
      </span>
    </MenuItem>
  )
}
