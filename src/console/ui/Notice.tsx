import { visible } from '#console/ui/base/visible.ts'
import type { ReactNode } from 'react'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import * as css from './ui.module.css'

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
      <div className={css.noticeIcon}>{icons[tone]}</div>
      <div className={css.noticeMessage}>{visible(children)}</div>
      {action && <div className={css.noticeAction}>{action}</div>}
    </div>
  )
}
