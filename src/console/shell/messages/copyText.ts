import { toast } from './toasts.tsx'

/** Copies to the clipboard and confirms it in a toast that starts with `what`, such as "Link". */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ tone: 'ok', text: `${what} copied` })
  } catch {
    toast({ tone: 'bad', text: 'Clipboard access was blocked.' })
  }
}
