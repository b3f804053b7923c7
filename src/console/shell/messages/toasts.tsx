import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { Store, useStore } from '@tanstack/react-store'
import { CircleAlert, CircleCheck, CircleHelp, X } from 'lucide-react'
import { useEffect, useState } from 'react'

interface Toast {
  /** `bad` and `unknown` stay until they are closed. */
  tone: 'ok' | 'bad' | 'unknown'
  text: string
  action?: { label: string; run: () => void }
}

const toasts = new Store<(Toast & { id: number })[]>([])
let last = 0

/** Shows a toast, announced to screen readers. */
export function toast(said: Toast): void {
  last += 1
  const id = last
  toasts.setState((all) => [...all.slice(-3), { ...said, id }])
}

/** Runs the action of the latest toast, such as Undo. Returns whether there was one. */
export function runLatestToastAction(): boolean {
  const newest = toasts.state.findLast((one) => one.action)
  if (newest) take(newest)
  return newest !== undefined
}

function take({ id, action }: Toast & { id: number }): void {
  close(id)
  action?.run()
}

const close = (id: number) => toasts.setState((all) => all.filter((one) => one.id !== id))

/** Milliseconds that good news stays; longer when it offers something. */
const stay = (one: Toast) => (one.action ? 12_000 : 5000)

const icons = {
  ok: { Icon: CircleCheck, color: 'success.main' },
  bad: { Icon: CircleAlert, color: 'error.main' },
  unknown: { Icon: CircleHelp, color: 'warning.main' },
}

export function Toasts() {
  const all = useStore(toasts)
  return (
    <Box
      component="section"
      aria-label="Notifications"
      aria-live="polite"
      sx={{
        position: 'fixed',
        right: { xs: 12, sm: 22 },
        left: { xs: 12, sm: 'auto' },
        bottom: 72,
        zIndex: 'snackbar',
        display: 'flex',
        flexDirection: 'column',
        gap: 2,
      }}
    >
      {all.map((one) => (
        <ToastCard key={one.id} one={one} />
      ))}
    </Box>
  )
}

function ToastCard({ one }: { one: Toast & { id: number } }) {
  const [held, setHeld] = useState(false)
  const leaves = one.tone === 'ok' && !held

  useEffect(() => {
    if (!leaves) return
    const timer = setTimeout(() => close(one.id), stay(one))
    return () => clearTimeout(timer)
  }, [leaves, one])

  const { Icon, color } = icons[one.tone]
  return (
    <Box
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        pl: 3,
        pr: 1.5,
        py: 1.5,
        maxWidth: { sm: 460 },
        minHeight: 44,
        border: 1,
        borderColor: 'tone.edge',
        borderRadius: '7px',
        boxShadow: '0 4px 16px #0000001f',
        bgcolor: 'tone.raised',
      }}
    >
      <Box component={Icon} aria-hidden sx={{ width: 16, height: 16, flexShrink: 0, color }} />
      <Box sx={{ flexGrow: 1, overflowWrap: 'anywhere' }}>{one.text}</Box>
      {one.action && (
        <Button aria-keyshortcuts="u" onClick={() => take(one)}>
          {one.action.label}
        </Button>
      )}
      <IconButton aria-label="Close notification" onClick={() => close(one.id)} sx={{ width: 24, height: 24 }}>
        <X size={14} aria-hidden />
      </IconButton>
    </Box>
  )
}
