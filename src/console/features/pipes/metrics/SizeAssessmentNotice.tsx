import type { ReactNode } from 'react'
import { Notice } from '#console/ui/Notice.tsx'
import type { LiveMetrics } from './useLiveMetrics.ts'

/** The size assessment in one sentence. Renders nothing before the first sample. */
export function SizeAssessmentNotice({ live: { assessment }, action }: { live: LiveMetrics; action?: ReactNode }) {
  return (
    assessment && (
      <Notice tone={assessment.tone} role="status" action={action}>
        {assessment.sentence}
      </Notice>
    )
  )
}
