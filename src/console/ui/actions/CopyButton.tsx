import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { hint } from '../hint/hint.ts'
import { VisuallyHidden } from '../base/VisuallyHidden.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'

interface CopyButtonProps {
  /** A function is called on the click, and may load what it needs. */
  text: string | (() => string | Promise<string>)
  /** The label, such as "Copy id". */
  label: string
  /** Only the icon, the label as hint. */
  compact?: boolean
}

/** Copies to the clipboard and confirms it, also to screen readers. */
export function CopyButton({ text, label, compact = false }: CopyButtonProps) {
  const [said, setSaid] = useState<'' | 'Copied' | 'Copy failed'>('')

  useEffect(() => {
    if (said === '') return
    const timer = setTimeout(() => setSaid(''), 1500)
    return () => clearTimeout(timer)
  }, [said])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setSaid('Copied')
    } catch {
      setSaid('Copy failed')
    }
  }

  const icon = said === 'Copied' ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />
  const status = <VisuallyHidden live="polite">{said}</VisuallyHidden>
  if (compact) {
    return (
      <>
        <IconButton {...hint(label)} aria-label={label} onClick={copy} size="small">
          {icon}
        </IconButton>
        {status}
      </>
    )
  }
  return (
    <>
      <Button onClick={copy} startIcon={icon}>
        {said || label}
      </Button>
      {status}
    </>
  )
}
