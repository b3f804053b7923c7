import { chosenZone } from '#console/shell/browserSettings.ts'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Timestamp, useNow } from '#console/ui/Timestamp.tsx'
import type { Alert } from '#contract/stack/alerts.ts'
import { visibleText, visibleSentence } from '#domain/text/visibleText.ts'
import { Button } from '#console/ui/base/Button.tsx'
import type { ShownSilence } from './silences.ts'
import { useAcknowledgement, usePause, useSilences } from './useAlertOperations.ts'
import { formatRecurrence } from './weekly.ts'

interface SilenceNoticesProps {
  alert: Alert
  name: string
  silences: readonly ShownSilence[]
}

/** Why nothing is sent now: each silence with its end, reason and author, and a pause; and who takes care of the alert. */
export function SilenceNotices({ alert, name, silences }: SilenceNoticesProps) {
  const { blocked, end, ending } = useSilences(alert)
  return (
    <>
      {alert.paused && <PausedNotice alert={alert} paused={alert.paused} name={name} />}
      {alert.acknowledged && <AcknowledgedNotice alert={alert} acknowledged={alert.acknowledged} />}
      {silences.map((silence) => (
        <Notice
          key={silence.group ?? ''}
          tone="info"
          action={
            <DisabledReason reason={blocked}>
              <Button
                size="small"
                disabled={blocked !== undefined}
                loading={ending === (silence.group ?? '')}
                onClick={() => end(silence.group)}
              >
                {silence.group === undefined ? 'Resume' : `Resume ${silence.group}`}
              </Button>
            </DisabledReason>
          }
        >
          <SilenceText silence={silence} />
        </Notice>
      ))}
    </>
  )
}

interface AcknowledgedNoticeProps {
  alert: Alert
  acknowledged: NonNullable<Alert['acknowledged']>
}

function AcknowledgedNotice({ alert, acknowledged: { at, by, note } }: AcknowledgedNoticeProps) {
  const { blocked, withdrawing, withdraw } = useAcknowledgement()
  return (
    <Notice
      tone="info"
      action={
        <DisabledReason reason={blocked}>
          <Button size="small" disabled={blocked !== undefined} loading={withdrawing} onClick={() => withdraw(alert)}>
            Withdraw
          </Button>
        </DisabledReason>
      }
    >
      <strong>Acknowledged</strong>
      {by && ` by ${visibleText(by)}`} {at && <Timestamp iso={at} />}
      {note ? `: ${visibleSentence(note)}` : ', without a note'}
    </Notice>
  )
}

function SilenceText({ silence }: { silence: ShownSilence }) {
  const { group, until, reason, by, recurring } = silence
  const now = useNow()
  return (
    <>
      <strong>{recurring ? 'Maintenance window' : 'Silenced'}</strong>
      {group !== undefined && (
        <>
          {' '}
          for <code>{group}</code>
        </>
      )}
      {recurring &&
        `: ${formatRecurrence(recurring, chosenZone(), now, until === undefined ? Infinity : Date.parse(until))}`}
      {until === undefined ? ', until resumed' : ', ends '}
      {until !== undefined && <Timestamp iso={until} />}
      {by && `, set by ${visibleText(by)}`}
      {reason ? `, reason: ${visibleSentence(reason)}` : ', no reason given'}
    </>
  )
}

interface PausedNoticeProps {
  alert: Alert
  paused: NonNullable<Alert['paused']>
  name: string
}

function PausedNotice({ alert, paused, name }: PausedNoticeProps) {
  const { blocked, pending, resume } = usePause(alert, name)
  return (
    <Notice
      tone="warning"
      action={
        <DisabledReason reason={blocked}>
          <Button size="small" disabled={blocked !== undefined} loading={pending} onClick={resume}>
            Resume evaluation
          </Button>
        </DisabledReason>
      }
    >
      <strong>Paused</strong> <Timestamp iso={paused.at} />
      {paused.reason && `, reason: ${paused.reason}`}: the alert is not evaluated.
    </Notice>
  )
}
