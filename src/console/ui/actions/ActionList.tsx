import { Menu } from '#console/ui/mui/Menu.tsx'
import MenuItem from '@mui/material/MenuItem'
import { MenuDivider } from './MenuDivider.tsx'
import type { Action } from './actions.ts'
import { Kbd } from '#console/ui/base/Kbd.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from './actions.module.css'

interface ActionListProps {
  anchor: HTMLElement
  actions: readonly Action[]
  onClose: () => void
}

/** The content of a "…" button. Actions that are disabled stay, with their reason under them; dangerous ones are set off. */
export function ActionList({ anchor, actions, onClose }: ActionListProps) {
  const firstDanger = actions.findIndex((action) => action.danger)
  return (
    <Menu open anchorEl={anchor} onClose={onClose}>
      {actions.flatMap((action, at) => [
        at > 0 && (at === firstDanger || action.startsGroup) ? <MenuDivider key={`above ${action.label}`} /> : null,
        <ActionItem key={action.label} action={action} close={onClose} />,
      ])}
    </Menu>
  )
}

/** One entry of a menu. */
export function ActionItem({ action, close, ...focus }: { action: Action; close: () => void }) {
  const { label, icon: Icon, run, disabled, danger, key } = action
  return (
    <MenuItem
      {...focus}
      aria-disabled={disabled !== undefined}
      aria-keyshortcuts={key}
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
          <Text component="span" variant="caption" color="textSecondary" className={css.actionListReason}>
            {disabled}
          </Text>
        )}
      </span>
      {key !== undefined && disabled === undefined && (
        <span className={css.actionListKey} aria-hidden>
          <Kbd>{key}</Kbd>
        </span>
      )}
    </MenuItem>
  )
}
