import { Split } from 'lucide-react'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import type { ChartExplanation } from './useChartExplain.ts'

export const ExplainView = lazyComponent(async () => (await import('./ExplainView.tsx')).ExplainView)

/** Lets the next range that is selected in the chart be explained. */
export function ExplainButton({ explanation }: { explanation: ChartExplanation }) {
  const { problem, choosing, choose, close } = explanation
  return (
    <DisabledReason reason={problem}>
      <Button
        startIcon={<Split size={14} aria-hidden />}
        disabled={problem !== undefined}
        aria-pressed={choosing}
        onPointerEnter={ExplainView.preload}
        onFocus={ExplainView.preload}
        onClick={choosing ? close : choose}
      >
        Explain
      </Button>
    </DisabledReason>
  )
}
