import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import card from '#console/ui/base/card.module.css'
import { Text } from '#console/ui/base/Text.tsx'
import css from './FoldedPanel.module.css'

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
    <details className={`${card.card} ${css.panel}`} open={open}>
      <summary className={css.summary}>
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
      <div className={css.content} data-flush={flush || undefined}>
        {children}
      </div>
    </details>
  )
}
