import type { ComponentProps } from 'react'
import { PanelPopover } from '../layout/PanelPopover.tsx'
import { RangeChoices } from './RangeChoices.tsx'
import * as css from './time.module.css'

interface RangePanelProps extends ComponentProps<typeof RangeChoices> {
  anchor: HTMLElement
  onClose: () => void
}

/** The panel of the time range picker. */
export function RangePanel({ anchor, onClose, ...choices }: RangePanelProps) {
  return (
    <PanelPopover label="Time range" anchor={anchor} onClose={onClose} className={css.rangePanel}>
      <RangeChoices {...choices} />
    </PanelPopover>
  )
}
