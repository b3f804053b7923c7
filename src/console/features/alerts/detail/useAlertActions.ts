/** The buttons of the page of an alert. */
import { useNavigate } from '@tanstack/react-router'
import { BellOff, CirclePause, CirclePlay, CircleSlash, CopyPlus, Rows3, Send, UserCheck } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import type { PageAction } from '#console/shell/pageActions.ts'
import type { SearchLink } from '#console/charting/search/searchLink.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import { useAlertTest, type AlertTest } from '../test/useAlertTest.ts'
import { useAcknowledgement, usePause, useSilences } from './silences/useAlertOperations.ts'

interface AlertActions {
  /** Before Edit, and after it. */
  actions: readonly PageAction[]
  moreActions: readonly PageAction[]
  /** Where the form of a silence opens. */
  popover: { anchor: HTMLElement | null; onClose: () => void }
  /** Closes the dialog that acknowledges the alert; undefined while it is not open. */
  onAcknowledged: (() => void) | undefined
  /** The last test, and whether its result is shown. */
  testing: { isOpen: boolean; test: AlertTest; onAgain: () => void; onClose: () => void }
}

interface EventsLink {
  link: SearchLink | null
  /** Why there is none. */
  reason: string | undefined
}

export function useAlertActions(
  alert: Alert,
  name: string,
  { link, reason }: EventsLink,
  /** Loads the form of a silence. */
  preload: () => void,
): AlertActions {
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
  const { blocked } = useSilences(alert)
  const button = useRef<HTMLButtonElement>(null)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const isPaused = Boolean(paused)
  const open = anchor !== null
  const { blocked: notPausable, pause, resume } = usePause(alert, name)
  const [isTesting, setTesting] = useState(false)
  const test = useAlertTest()
  const { blocked: notTestable, start } = test
  const runTest = useCallback(async () => {
    if (await start({ alertId: id }, name)) setTesting(true)
  }, [start, id, name])
  const { blocked: notAcknowledgeable, withdraw } = useAcknowledgement()
  const [isAcknowledging, setAcknowledging] = useState(false)
  const isFiring = alert.state === 'ALERT'
  const isAcknowledged = Boolean(alert.acknowledged)
  const moreActions = useMemo(
    () => [
      {
        label: isAcknowledged ? 'Withdraw acknowledgement' : 'Acknowledge',
        icon: isAcknowledged ? CircleSlash : UserCheck,
        key: 'k',
        disabled:
          notAcknowledgeable ?? (isFiring || isAcknowledged ? undefined : 'Only a firing alert can be acknowledged.'),
        run: () => (isAcknowledged ? withdraw(alert) : setAcknowledging(true)),
      },
      {
        label: 'Test alert',
        icon: Send,
        disabled: notTestable,
        run: () => void runTest(),
      },
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
        popup: { button, open, preload },
        run: () => setAnchor(button.current),
      },
      {
        label: 'View events',
        icon: Rows3,
        key: 'v',
        primary: true,
        disabled: link ? undefined : (reason ?? 'No window was evaluated yet.'),
        run: () => void navigate({ to: paths.search(connection.id), search: { ...link } }),
      },
    ],
    [
      notAcknowledgeable,
      isFiring,
      isAcknowledged,
      withdraw,
      alert,
      notTestable,
      runTest,
      isPaused,
      notPausable,
      pause,
      resume,
      blocked,
      open,
      preload,
      link,
      reason,
      navigate,
      connection.id,
    ],
  )
  return {
    actions,
    moreActions,
    popover: { anchor, onClose: () => setAnchor(null) },
    onAcknowledged: isAcknowledging ? () => setAcknowledging(false) : undefined,
    testing: { isOpen: isTesting, test, onAgain: () => void runTest(), onClose: () => setTesting(false) },
  }
}
