import { visible } from '#console/ui/base/visible.ts'
import type { ReactNode } from 'react'
import * as css from './ui.module.css'

export type ChipTone = 'ok' | 'warn' | 'bad' | 'accent' | 'neutral'

/** A word on a soft ground. The word carries the meaning, the colour helps the eye. */
export function StatusChip({ tone, children }: { tone: ChipTone; children: ReactNode }) {
  return (
    <span className={css.chip} data-tone={tone}>
      {visible(children)}
    </span>
  )
}
