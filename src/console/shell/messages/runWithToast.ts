import { toastFailure } from './toastFailure.ts'
import { toast } from './toasts.tsx'

/**
 * Runs an action without a form, and shows its error in a toast.
 *
 * @param success the text of a toast once it is done. Default: none, because the page shows it
 */
export async function runWithToast(action: () => Promise<unknown>, success?: string): Promise<void> {
  try {
    await action()
    if (success !== undefined) toast({ tone: 'ok', text: success })
  } catch (error) {
    toastFailure(error)
  }
}
