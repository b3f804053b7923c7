import { Check } from 'lucide-react'
import * as base from '#console/ui/base/base.module.css'
import { Text } from '#console/ui/base/Text.tsx'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { steps, stepTitles, type Step } from './useSteps.ts'
import * as css from './newPipe.module.css'

interface StepRailProps {
  step: Step
  /** The choice of each step. */
  summaries: Record<Step, string>
  onOpen: (step: Step) => void
}

/** The steps with what was chosen in each. Every one can be opened; those ahead only after the ones before. */
export function StepRail({ step, summaries, onOpen }: StepRailProps) {
  const at = steps.indexOf(step)
  return (
    <nav aria-label="Steps">
      <ol className={css.railSteps}>
        {steps.map((listed, index) => (
          <li
            key={listed}
            className={css.railStep}
            data-state={index === at ? 'current' : index < at ? 'done' : 'ahead'}
          >
            <button
              type="button"
              className={`${base.plainButton} ${css.railButton}`}
              aria-current={index === at ? 'step' : undefined}
              onClick={() => onOpen(listed)}
            >
              <span className={css.railNumber} aria-hidden>
                {index < at ? <Check size={13} /> : index + 1}
              </span>
              <span className={css.railText}>
                <span className={css.railTitle}>{stepTitles[listed]}</span>
                <Text component="span" variant="caption" color="textSecondary" className={css.railSummary}>
                  {summaries[listed]}
                </Text>
                {index < at && <VisuallyHidden>, done</VisuallyHidden>}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
