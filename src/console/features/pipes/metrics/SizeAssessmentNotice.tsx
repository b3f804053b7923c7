import type { ReactNode } from 'react'
import { Notice } from '#console/ui/Notice.tsx'
import type { LiveLoad } from './useLiveMetrics.ts'

/** Whether the size fits what the pipes do, in one sentence; nothing before the first look. */
export function LoadVerdict({ live: { verdict }, action }: { live: LiveLoad; action?: ReactNode }) {
  return (
    verdict && (
      <Notice tone={verdict.tone} role="status" action={action}>
        {verdict.sentence}
      </Notice>
    )
  )
}
