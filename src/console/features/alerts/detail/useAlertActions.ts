/** The buttons of the page of an alert. */
import { useNavigate } from '@tanstack/react-router'
import { BellOff, CirclePause, CirclePlay, CircleSlash, CopyPlus, Rows3, Send, UserCheck } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import type { PageAction } from '#console/shell/pageActions.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import { useAlertTest, type AlertTest } from '../test/useAlertTest.ts'
import { useAcknowledgement, usePause, useSilences } from './silences/useAlertOperations.ts'
import type { WatchedRows } from './useWatchedRows.ts'

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

/**
 * All that can be done with an alert.
 *
 * @param events the rows that the alert watches
 * @param preloadSilences loads the form of a silence
 */
export function useAlertActions(
  alert: Alert,
  name: string,
  events: WatchedRows['newest'],
  preloadSilences: () => void,
): AlertActions {
  const duplicate = useDuplicateAction(alert.id)
  const acknowledgement = useAcknowledgeAction(alert)
  const { test, testing } = useTestAction(alert.id, name)
  const pause = usePauseAction(alert, name)
  const { silence, popover } = useSilenceAction(alert, preloadSilences)
  const viewEvents = useEventsAction(events)
  return {
    actions: useMemo(() => [duplicate], [duplicate]),
    moreActions: useMemo(
      () => [acknowledgement.action, test, pause, silence, viewEvents],
      [acknowledgement.action, test, pause, silence, viewEvents],
    ),
    popover,
    onAcknowledged: acknowledgement.onClose,
    testing,
  }
}

function useDuplicateAction(from: string): PageAction {
  const connection = useConnection()
  const navigate = useNavigate()
  return useMemo(
    () => ({
      label: 'Duplicate',
      icon: CopyPlus,
      disabled: lockReason(connection),
      run: () => void navigate({ to: paths.newAlert(connection.id), search: { from } }),
    }),
    [connection, navigate, from],
  )
}

/** Acknowledges a firing alert in a dialog, which is open while there is an `onClose`; or withdraws that at once. */
function useAcknowledgeAction(alert: Alert): { action: PageAction; onClose: (() => void) | undefined } {
  const { blocked, withdraw } = useAcknowledgement()
  const [isOpen, setOpen] = useState(false)
  const isFiring = alert.state === 'ALERT'
  const isAcknowledged = Boolean(alert.acknowledged)
  const action = useMemo(
    () => ({
      label: isAcknowledged ? 'Withdraw acknowledgement' : 'Acknowledge',
      icon: isAcknowledged ? CircleSlash : UserCheck,
      key: 'k',
      disabled: blocked ?? (isFiring || isAcknowledged ? undefined : 'Only a firing alert can be acknowledged.'),
      run: () => (isAcknowledged ? withdraw(alert) : setOpen(true)),
    }),
    [alert, blocked, isAcknowledged, isFiring, withdraw],
  )
  return { action, onClose: isOpen ? () => setOpen(false) : undefined }
}

function useTestAction(alertId: string, name: string): { test: PageAction; testing: AlertActions['testing'] } {
  const test = useAlertTest()
  const { blocked, start } = test
  const [isOpen, setOpen] = useState(false)
  const run = useCallback(async () => {
    if (await start({ alertId }, name)) setOpen(true)
  }, [start, alertId, name])
  return {
    test: useMemo(
      () => ({ label: 'Test alert', icon: Send, disabled: blocked, run: () => void run() }),
      [blocked, run],
    ),
    testing: { isOpen, test, onAgain: () => void run(), onClose: () => setOpen(false) },
  }
}

function usePauseAction(alert: Alert, name: string): PageAction {
  const { blocked, pause, resume } = usePause(alert, name)
  const isPaused = Boolean(alert.paused)
  return useMemo(
    () => ({
      label: isPaused ? 'Resume evaluation' : 'Pause',
      icon: isPaused ? CirclePlay : CirclePause,
      disabled: blocked,
      run: () => void (isPaused ? resume() : pause()),
    }),
    [blocked, isPaused, pause, resume],
  )
}

function useSilenceAction(
  alert: Alert,
  preload: () => void,
): { silence: PageAction; popover: AlertActions['popover'] } {
  const { blocked } = useSilences(alert)
  const button = useRef<HTMLButtonElement>(null)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const open = anchor !== null
  const silence = useMemo(
    () => ({
      label: 'Silence',
      icon: BellOff,
      key: 's',
      disabled: blocked,
      popup: { button, open, preload },
      run: () => setAnchor(button.current),
    }),
    [blocked, open, preload],
  )
  return { silence, popover: { anchor, onClose: () => setAnchor(null) } }
}

function useEventsAction({ link, reason }: WatchedRows['newest']): PageAction {
  const { id: connectionId } = useConnection()
  const navigate = useNavigate()
  return useMemo(
    () => ({
      label: 'View events',
      icon: Rows3,
      key: 'v',
      primary: true,
      disabled: link ? undefined : (reason ?? 'No window was evaluated yet.'),
      run: () => void navigate({ to: paths.search(connectionId), search: { ...link } }),
    }),
    [connectionId, link, navigate, reason],
  )
}
