import type { ReactNode } from 'react'
import { isUnknown, type Outcome } from '#console/api/bulk.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import * as css from '../records.module.css'

const words: Record<Outcome['state'], string> = {
  waiting: 'waiting',
  running: 'running',
  paused: 'waiting',
  done: 'done',
  held: 'waits for approval',
  failed: 'failed',
  skipped: 'skipped',
}
const tones = {
  waiting: 'neutral',
  running: 'accent',
  paused: 'warn',
  done: 'ok',
  held: 'warn',
  failed: 'bad',
  skipped: 'neutral',
} as const

export interface OutcomeRow {
  id: string
  name: string
  /** Shown below a failed row: what blocks it, with a link. */
  blocker?: ReactNode
}

interface OutcomeListProps {
  rows: readonly OutcomeRow[]
  outcomes: ReadonlyMap<string, Outcome>
}

/** The outcome of each row of a job. */
export function OutcomeList({ rows, outcomes }: OutcomeListProps) {
  return (
    <ScrollRegion as="ul" label="Outcomes" className={css.outcomeList}>
      {rows.map(({ id, name, blocker }) => {
        const outcome = outcomes.get(id) ?? { state: 'waiting' as const }
        return (
          <li key={id} className={css.outcome}>
            {isUnknown(outcome) ? (
              <StatusChip tone="warn">outcome unknown</StatusChip>
            ) : (
              <StatusChip tone={tones[outcome.state]}>{words[outcome.state]}</StatusChip>
            )}
            <div className={css.outcomeDescription}>
              {name}
              {outcome.state === 'failed' && (
                <>
                  : {outcome.failure.message}
                  {blocker}
                </>
              )}
            </div>
          </li>
        )
      })}
    </ScrollRegion>
  )
}
