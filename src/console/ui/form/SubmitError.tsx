import type { ReactNode } from 'react'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Countdown } from '#console/ui/Countdown.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from './form.module.css'

/** Why a form was not taken, above its fields; announced. */
export function SubmitError({ error, action }: { error: ErrorText; action?: ReactNode }) {
  const actions = (
    <>
      {action}
      <CopyButton text={error.bundle} label="Copy details" compact />
    </>
  )
  return (
    <Notice tone={error.isInfo ? 'success' : 'error'} role="alert" action={error.isInfo ? action : actions}>
      <strong>{error.title}.</strong> {error.sentence !== `${error.title}.` && error.sentence} {error.advice}{' '}
      {error.retryAt !== undefined && <Countdown key={error.retryAt} until={error.retryAt} />}
      {error.requestId && (
        <Text variant="caption" className={css.requestId}>
          Request ID <code>{error.requestId}</code>
        </Text>
      )}
    </Notice>
  )
}
