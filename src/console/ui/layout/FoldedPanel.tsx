import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import * as base from '#console/ui/base/base.module.css'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from './layout.module.css'

interface FoldedPanelProps {
  title: string
  /** A description, in a line. */
  summary?: ReactNode
  /** Whether it is open from the start. */
  open?: boolean
  /** Leaves the padding to the content, for code and tables. */
  flush?: boolean
  children: ReactNode
}

/** A panel whose content is shown on demand. Its fields keep their values while it is closed. */
export function FoldedPanel({ title, summary, open = false, flush = false, children }: FoldedPanelProps) {
  return (
    <details className={`${base.card} ${css.foldedPanel}`} open={open}>
      <summary className={css.foldedSummary}>
        <ChevronRight size={14} aria-hidden className={css.chevron} />
        <Text variant="h3" component="span">
          {title}
        </Text>
        {summary && (
          <Text component="span" color="textSecondary">
            {summary}
          </Text>
        )}
      </summary>
      <div className={css.foldedContent} data-flush={flush || undefined}>
        {children}
      </div>
    </details>
  )
}
