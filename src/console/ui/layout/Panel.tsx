import { visibleText } from '#domain/text/visibleText.ts'
import { useId, type ReactNode } from 'react'
import * as base from '#console/ui/base/base.module.css'
import { Text } from '#console/ui/base/Text.tsx'
import { Spacer } from './Spacer.tsx'
import * as css from './layout.module.css'

interface PanelProps {
  title?: string
  /** To the right of the title. */
  aside?: ReactNode
  /** Leaves the padding to the content, for tables. */
  flush?: boolean
  children: ReactNode
}

/** A card with one hairline and an optional title row. */
export function Panel({ title, aside, flush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section className={base.card} {...(title ? { 'aria-labelledby': id } : {})}>
      {title && (
        <div className={css.panelHeader}>
          <Text id={id} variant="h3" component="h2">
            {visibleText(title)}
          </Text>
          <Spacer />
          {aside && (
            <Text component="div" color="textSecondary">
              {aside}
            </Text>
          )}
        </div>
      )}
      <div style={{ padding: flush ? '0' : '14px' }}>{children}</div>
    </section>
  )
}

/** A sentence in a panel without padding, in the place of its table. */
export function PanelText({ children }: { children: ReactNode }) {
  return (
    <Text color="textSecondary" className={css.panelText}>
      {children}
    </Text>
  )
}
