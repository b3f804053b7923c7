import { visibleText } from '#domain/text/visibleText.ts'
import { ChevronDown, Plus } from 'lucide-react'
import { useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '#console/paths/paths.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { StageDot } from '#console/shell/stage/StageChip.tsx'
import { ConnectionBadges, formatVariant } from './ConnectionBadges.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from '../navigation/navigation.module.css'

const ConnectionMenu = lazyComponent(async () => (await import('./ConnectionMenu.tsx')).ConnectionMenu)

/** The connection chip: name, variant, colour and word, lock; on Home, that it is about all. Opens the list of connections. */
export function ConnectionSwitcher() {
  const { connection, connections } = useFrameConnection()
  const isHome = useMatches({ select: (matches) => matches.at(-1)?.fullPath === paths.home() })
  const isOverAll = isHome && connections.length > 1
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)

  if (!connection) {
    return (
      <LinkButton to={paths.newConnection()} startIcon={<Plus size={14} aria-hidden />}>
        Add a connection
      </LinkButton>
    )
  }
  return (
    <>
      <Button
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={ConnectionMenu.preload}
        onFocus={ConnectionMenu.preload}
        onClick={(event) => setAnchor(event.currentTarget)}
        className={css.connectionSwitcher}
      >
        <VisuallyHidden>Connection:</VisuallyHidden>
        {isOverAll ? (
          <span className={css.connectionName}>All environments</span>
        ) : (
          <>
            <StageDot stage={connection.stage} />
            <span className={css.connectionName}>{visibleText(connection.name)}</span>
            <span className={css.connectionSwitcherVariant}>{formatVariant(connection)}</span>
            <ConnectionBadges connection={connection} compact />
          </>
        )}
        <ChevronDown size={14} aria-hidden style={{ flexShrink: 0 }} />
      </Button>
      {anchor && <ConnectionMenu connection={connection} anchor={anchor} close={() => setAnchor(null)} />}
    </>
  )
}
