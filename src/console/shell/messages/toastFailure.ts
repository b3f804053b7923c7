import { isHeld } from '#console/api/approval.ts'
import { formatError } from '#console/api/errors.ts'
import { asFailure } from '#console/api/failure.ts'
import { copyText } from './copyText.ts'
import { toast } from './toasts.tsx'

/** Shows the error of an action without a form in a toast. */
export function toastFailure(error: unknown): void {
  // Another message says already that the change waits for approval.
  if (isHeld(asFailure(error))) return
  const { title, sentence, bundle } = formatError(error, location.pathname)
  toast({
    tone: asFailure(error).code === 'outcomeUnknown' ? 'unknown' : 'bad',
    text: sentence === `${title}.` ? title : `${title}. ${sentence}`,
    action: { label: 'Copy details', run: () => void copyText(bundle, 'Details') },
  })
}
