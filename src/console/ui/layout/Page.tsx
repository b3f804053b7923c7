import type { ReactNode } from 'react'
import { visibleText } from '#domain/text/visibleText.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Spacer } from './Spacer.tsx'
import * as css from './layout.module.css'

interface PageProps {
  title: string
  /** Chips beside the title. */
  state?: ReactNode
  /** One line that describes the page. */
  lead?: ReactNode
  /** Links to the other pages of the same record. */
  nav?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A page under the frame: title, state, one line, actions to the right, content. */
export function Page({ title, state, lead, nav, actions, children }: PageProps) {
  return (
    <div className={css.page}>
      <div className={css.pageHead}>
        <Text variant="h1" className={css.pageTitle}>
          {visibleText(title)}
        </Text>
        {state}
        <Spacer />
        {actions && <div className={css.pageActions}>{actions}</div>}
      </div>
      <Text component="div" color="textSecondary" className={css.pageLead}>
        {lead}
      </Text>
      {nav}
      {children}
    </div>
  )
}
