import type { ReactNode } from 'react'
import { Notice } from '#console/ui/Notice.tsx'
import type { LiveMetrics } from './useLiveMetrics.ts'

/** Whether the size fits what the pipes do, in one sentence; nothing before the first look. */
export function SizeAssessmentNotice({ live: { assessment }, action }: { live: LiveMetrics; action?: ReactNode }) {
  return (
    assessment && (
      <Notice tone={assessment.tone} role="status" action={action}>
        {assessment.sentence}
      </Notice>
    )
  )
}
