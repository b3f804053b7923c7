import { visible } from '#console/ui/base/visible.ts'
import type { ReactNode } from 'react'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import css from './Notice.module.css'

const icons = {
  info: <Info size={16} />,
  success: <CircleCheck size={16} />,
  warning: <TriangleAlert size={16} />,
  error: <CircleAlert size={16} />,
}

interface NoticeProps {
  tone: keyof typeof icons
  action?: ReactNode
  children: ReactNode
  /** `alert` interrupts a screen reader, `status` waits; without a role for notices that are shown from the start. */
  role?: 'alert' | 'status' | 'note'
}

/** A quiet coloured line: something to know on this page. */
export function Notice({ tone, action, children, role = 'note' }: NoticeProps) {
  return (
    <div role={role} className={css.notice} data-tone={tone}>
      <div className={css.icon}>{icons[tone]}</div>
      <div className={css.message}>{visible(children)}</div>
      {action && <div className={css.action}>{action}</div>}
    </div>
  )
}
