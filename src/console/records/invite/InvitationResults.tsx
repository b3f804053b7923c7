import { formatError } from '#console/api/errors.ts'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { InviteTarget } from './inviteForm.ts'
import type { Outcome } from './sendInvitations.ts'
import * as css from '../records.module.css'

interface InvitationResultsProps {
  outcomes: readonly Outcome[]
  names: Record<InviteTarget, string>
}

/** The outcome of each invitation: its link, or why there is none. */
export function InvitationResults({ outcomes, names }: InvitationResultsProps) {
  const links = outcomes.filter((outcome) => 'link' in outcome && outcome.link !== null).length
  return (
    <>
      {links > 0 && (
        <Notice tone="warning" role="status">
          Send {links === 1 ? 'this link' : 'these links'} to the person in a way that nobody else can read.
        </Notice>
      )}
      {outcomes.map((outcome) => (
        <fieldset key={outcome.place} className={css.invitePart}>
          <legend>{names[outcome.place]}</legend>
          {'error' in outcome ? (
            <SubmitError error={formatError(outcome.error, location.pathname)} />
          ) : (
            <>
              {outcome.link !== null && (
                <div className={css.inviteLink}>
                  <TextInput
                    label={`Link to ${lowerFirst(names[outcome.place])}`}
                    mono
                    readOnly
                    value={outcome.link}
                    onChange={() => undefined}
                  />
                  <CopyButton
                    compact
                    text={outcome.link}
                    label={`Copy the link to ${lowerFirst(names[outcome.place])}`}
                  />
                </div>
              )}
              <Text color="textSecondary">{outcome.note}</Text>
            </>
          )}
        </fieldset>
      ))}
    </>
  )
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

interface ResultButtonsProps {
  outcomes: readonly Outcome[]
  busy: boolean
  onRetry: () => void
  onClose: () => void
}

export function ResultButtons({ outcomes, busy, onRetry, onClose }: ResultButtonsProps) {
  return (
    <>
      {outcomes.some((outcome) => 'error' in outcome) && (
        <Button loading={busy} onClick={onRetry}>
          Try again
        </Button>
      )}
      <Button variant="contained" color="primary" onClick={onClose}>
        Done
      </Button>
    </>
  )
}
