import { Store, useStore } from '@tanstack/react-store'
import { CircleAlert, CircleCheck, CircleHelp, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { visibleText } from '#domain/text/visibleText.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from '../shell.module.css'

export interface Toast {
  /** `bad` and `unknown` stay until they are closed. */
  tone: 'ok' | 'bad' | 'unknown'
  text: string
  action?: { label: string; run: () => void }
}

const toasts = new Store<(Toast & { id: number })[]>([])
let last = 0

/** Shows a toast, announced to screen readers. @returns its ID for `replaceToast` */
export function toast(message: Toast): number {
  last += 1
  const id = last
  toasts.setState((all) => [...all.slice(-3), { ...message, id }])
  return id
}

/** Gives a toast another text. @returns whether it was still shown */
export function replaceToast(id: number, text: string): boolean {
  const isShown = toasts.state.some((item) => item.id === id)
  toasts.setState((all) => all.map((item) => (item.id === id ? { ...item, text } : item)))
  return isShown
}

/** Runs the action of the latest toast, such as Undo. Returns whether there was one. */
export function runLatestToastAction(): boolean {
  const newest = toasts.state.findLast((item) => item.action)
  if (newest) take(newest)
  return newest !== undefined
}

function take({ id, action }: Toast & { id: number }): void {
  close(id)
  action?.run()
}

const close = (id: number) => toasts.setState((all) => all.filter((item) => item.id !== id))

/** Milliseconds that good news stays; longer when it offers something. */
const stay = (item: Toast) => (item.action ? 12_000 : 5000)

const icons = {
  ok: { Icon: CircleCheck, color: 'var(--ok)' },
  bad: { Icon: CircleAlert, color: 'var(--bad)' },
  unknown: { Icon: CircleHelp, color: 'var(--warn)' },
}

export function Toasts() {
  const all = useStore(toasts)
  return (
    <section aria-label="Notifications" aria-live="polite" className={css.toasts}>
      {all.map((item) => (
        <ToastCard key={item.id} item={item} />
      ))}
    </section>
  )
}

function ToastCard({ item }: { item: Toast & { id: number } }) {
  const [held, setHeld] = useState(false)
  const leaves = item.tone === 'ok' && !held

  useEffect(() => {
    if (!leaves) return
    const timer = setTimeout(() => close(item.id), stay(item))
    return () => clearTimeout(timer)
  }, [leaves, item])

  const { Icon, color } = icons[item.tone]
  return (
    <div
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={css.toastCard}
    >
      <Icon aria-hidden className={css.toastsIcon} style={{ color }} />
      <div className={css.toastsMessage}>{visibleText(item.text)}</div>
      {item.action && (
        <Button aria-keyshortcuts="u" onClick={() => take(item)}>
          {item.action.label}
        </Button>
      )}
      <IconButton aria-label="Close notification" onClick={() => close(item.id)} size="small">
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
