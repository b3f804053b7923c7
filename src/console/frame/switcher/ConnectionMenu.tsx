import { visibleText } from '#domain/text/visibleText.ts'
import ListSubheader from '@mui/material/ListSubheader'
import { Menu } from '#console/ui/mui/Menu.tsx'
import MenuItem from '@mui/material/MenuItem'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, LockKeyhole, LockKeyholeOpen, Settings2, Siren } from 'lucide-react'
import { connectionsQuery } from '#console/api/connections.ts'
import { paths } from '#console/paths/paths.ts'
import type { Connection } from '#contract/console/connections.ts'
import { ActionItem } from '#console/ui/actions/ActionList.tsx'
import { MenuDivider } from '#console/ui/actions/MenuDivider.tsx'
import { askBreakGlass } from '../approval/approvalQuestion.ts'
import { allowWrites, makeReadOnly } from '#console/shell/stage/readOnly.ts'
import { StageDot } from '#console/shell/stage/StageChip.tsx'
import { ConnectionBadges, formatVariant } from './ConnectionBadges.tsx'
import { useSwitchConnection } from './useSwitchConnection.ts'
import * as css from '../navigation/navigation.module.css'

interface ConnectionMenuProps {
  connection: Connection
  anchor: HTMLElement
  close: () => void
}

/** The list under the connection chip. Switching keeps the page and its filters. */
export function ConnectionMenu({ connection, anchor, close }: ConnectionMenuProps) {
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const switchTo = useSwitchConnection()
  const navigate = useNavigate()
  return (
    <Menu open anchorEl={anchor} onClose={close} slotProps={{ list: { 'aria-label': 'Connections' } }}>
      <ListSubheader role="presentation">Connections</ListSubheader>
      {connections.map((choice) => (
        <MenuItem
          key={choice.id}
          selected={choice.id === connection.id}
          aria-current={choice.id === connection.id}
          onClick={() => {
            close()
            switchTo(choice.id)
          }}
        >
          <StageDot stage={choice.stage} />
          <span className={css.connectionMenuName}>{visibleText(choice.name)}</span>
          <span className={css.connectionMenuVariant}>{formatVariant(choice)}</span>
          <ConnectionBadges connection={choice} compact />
          <span className={css.checkmark}>{choice.id === connection.id && <Check size={14} aria-hidden />}</span>
        </MenuItem>
      ))}
      <MenuDivider />
      {connection.twoPersonApproval && (
        <ActionItem
          action={{
            label: `Break the glass on ${visibleText(connection.name)}…`,
            icon: Siren,
            run: () => askBreakGlass(connection),
            disabled: breakGlassReason(connection),
          }}
          close={close}
        />
      )}
      {!(connection.twoPersonApproval && connection.stage === 'production') && (
        <ActionItem
          action={{
            label: connection.readOnly
              ? `Allow writes on ${visibleText(connection.name)}…`
              : `Make ${visibleText(connection.name)} read-only`,
            icon: connection.readOnly ? LockKeyholeOpen : LockKeyhole,
            run: () => void (connection.readOnly ? allowWrites(connection) : makeReadOnly(connection)),
            disabled: connection.writesRefused,
          }}
          close={close}
        />
      )}
      <MenuItem
        onClick={() => {
          close()
          void navigate({ to: paths.connections() })
        }}
      >
        <Settings2 size={14} aria-hidden />
        Manage connections
      </MenuItem>
    </Menu>
  )
}

function breakGlassReason({ writesRefused, breakGlassRefused, breakGlass }: Connection): string | undefined {
  if (writesRefused !== undefined) return writesRefused
  return breakGlass ? `A break-glass of ${breakGlass.actor} is under way.` : breakGlassRefused
}
