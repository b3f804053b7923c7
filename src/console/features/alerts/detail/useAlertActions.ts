/** The buttons of the page of an alert. */
import { useNavigate } from '@tanstack/react-router'
import { BellOff, CirclePause, CirclePlay, CopyPlus } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import type { PageAction } from '#console/shell/pageActions.ts'
import type { Alert } from '#contract/alerts.ts'
import { usePause, useSilences } from './useAlertOperations.ts'

interface AlertActions {
  /** Before Edit, and after it. */
  actions: readonly PageAction[]
  moreActions: readonly PageAction[]
  /** Where the form of a silence opens. */
  popover: { anchor: HTMLElement | null; onClose: () => void }
}

export function useAlertActions(alert: Alert, name: string): AlertActions {
  const { id, paused } = alert
  const connection = useConnection()
  const navigate = useNavigate()
  const actions = useMemo(
    () => [
      {
        label: 'Duplicate',
        icon: CopyPlus,
        disabled: lockReason(connection),
        run: () => void navigate({ to: paths.newAlert(connection.id), search: { from: id } }),
      },
    ],
    [connection, navigate, id],
  )
  const { blocked } = useSilences({ id })
  const button = useRef<HTMLButtonElement>(null)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const isPaused = Boolean(paused)
  const open = anchor !== null
  const { blocked: notPausable, pause, resume } = usePause({ id, name })
  const moreActions = useMemo(
    () => [
      {
        label: isPaused ? 'Resume evaluation' : 'Pause',
        icon: isPaused ? CirclePlay : CirclePause,
        disabled: notPausable,
        run: () => void (isPaused ? resume() : pause()),
      },
      {
        label: 'Silence',
        icon: BellOff,
        key: 's',
        disabled: blocked,
        popup: { button, open },
        run: () => setAnchor(button.current),
      },
    ],
    [isPaused, notPausable, pause, resume, blocked, open],
  )
  return { actions, moreActions, popover: { anchor, onClose: () => setAnchor(null) } }
}
