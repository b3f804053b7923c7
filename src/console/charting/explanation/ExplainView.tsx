import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { formatRange } from '#console/ui/time/formatRange.ts'
import { absoluteRange } from '#console/ui/time/range.ts'
import type { Zone } from '#domain/time/zone.ts'
import { ExplanationBody } from './ExplanationBody.tsx'
import type { ChartExplanation } from './useChartExplain.ts'
import type { ExplainFilters } from './useValueActions.ts'
import * as css from './explanation.module.css'

export interface ExplainViewProps {
  connectionId: string
  explanation: ChartExplanation
  zone: Zone
  /** Without them, a value opens the search for its rows. */
  filters?: ExplainFilters | undefined
}

/** How a range is selected, or what is different in the one that was. Nothing before either. */
export function ExplainView({ connectionId, explanation, zone, filters }: ExplainViewProps) {
  const { choosing, asked, isOutdated, again, close } = explanation
  const panel = useRef<HTMLElement>(null)
  if (choosing) return <Choosing onCancel={close} />
  if (!asked) return null
  const { inside, range, subjects, values } = asked
  const key = JSON.stringify([inside, range, subjects, values])
  const part = formatRange(absoluteRange(inside), zone) + (values ? `, ${values.label}` : '')
  return (
    <Shown key={key} panel={panel} title={`What differs in ${part}`} onClose={close}>
      {isOutdated && (
        <div className={css.outdated} role="status">
          The chart has changed since this explanation.
          <Button size="small" onClick={again}>
            Explain again
          </Button>
        </div>
      )}
      <ExplanationBody {...{ connectionId, asked, zone, filters, panel }} />
    </Shown>
  )
}

function Choosing({ onCancel }: { onCancel: () => void }) {
  const hint = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The chart is where keys select the range.
    hint.current?.closest('[data-explained]')?.querySelector<HTMLElement>('[role=application]')?.focus()
  }, [])
  return (
    <div ref={hint} className={css.choosing} role="status">
      <span>
        Drag over the part to explain, or select it with Shift and the arrow keys and press Enter. It is compared with
        the rest of the chart.
      </span>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

interface ShownProps {
  panel: RefObject<HTMLElement | null>
  title: string
  onClose: () => void
  children: ReactNode
}

/** Has the focus when it opens, and gives it back when it closes. */
function Shown({ panel, title, onClose, children }: ShownProps) {
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus({ preventScroll: true })
    panel.current?.scrollIntoView({ block: 'nearest' })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [panel])
  return (
    // Escape closes it from anywhere within.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={panel}
      aria-label={title}
      tabIndex={-1}
      className={css.explanation}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={css.head}>
        <Text variant="h3" component="h3">
          {title}
        </Text>
        <IconButton aria-label="Close the explanation" size="small" onClick={onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      {children}
    </section>
  )
}
