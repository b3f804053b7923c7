import { toast } from './toasts.tsx'

/** Copies to the clipboard and says so, for what has no button of its own to say it on. `what` begins a sentence: "Id". */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ tone: 'ok', text: `${what} copied.` })
  } catch {
    toast({ tone: 'bad', text: 'Clipboard access was blocked.' })
  }
}
