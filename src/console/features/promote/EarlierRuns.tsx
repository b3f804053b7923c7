import { useQuery } from '@tanstack/react-query'
import { runsQuery } from '#console/api/gateway/runs.ts'
import { runTitle, stateTones } from '#console/records/runs/runLabels.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import type { Connection } from '#contract/console/connections.ts'
import * as css from './promote.module.css'

/** Runs in the list. */
const maxShown = 12

interface EarlierRunsProps {
  connections: readonly Connection[]
  onOpen: (runId: string) => void
}

/** Promotions and other runs of before, which can be opened, resumed and undone. */
export function EarlierRuns({ connections, onOpen }: EarlierRunsProps) {
  const { data } = useQuery(runsQuery)
  const nameOf = (id: string | undefined) =>
    connections.find((connection) => connection.id === id)?.name ?? 'a deleted connection'
  if (!data) return null
  if (data.length === 0) {
    return (
      <Panel title="Earlier" flush>
        <PanelText>Nothing was promoted yet.</PanelText>
      </Panel>
    )
  }
  return (
    <Panel title="Earlier">
      <ul className={css.earlier}>
        {data.slice(0, maxShown).map((run) => (
          <li key={run.id}>
            <Button variant="text" size="small" onClick={() => onOpen(run.id)}>
              {runTitle(run)}
            </Button>
            <span>
              <StatusChip tone={stateTones[run.state]}>
                {run.counts.done} of {run.counts.steps} {run.state}
              </StatusChip>
            </span>
            <span className={css.promoteMuted}>
              {run.from === undefined ? nameOf(run.connectionId) : `${nameOf(run.from)} → ${nameOf(run.connectionId)}`}
            </span>
            <span className={css.promoteMuted}>
              <Timestamp iso={run.startedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
