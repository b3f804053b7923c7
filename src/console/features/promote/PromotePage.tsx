import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { promotionPlanQuery, runsQuery, startPromotion } from '#console/api/gateway/runs.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { RunPanel } from '#console/records/runs/RunPanel.tsx'
import { useUrlState } from '#console/shell/urlState.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { counted } from '#domain/text/words.ts'
import type { PromotionInput, TargetPlan } from '#contract/console/runs.ts'
import type { Decisions } from '#console/records/runs/decisions.ts'
import { PlanDecisions } from '#console/records/runs/PlanDecisions.tsx'
import { PlanSummary } from '#console/records/runs/PlanSummary.tsx'
import { PlanTable } from '#console/records/runs/PlanTable.tsx'
import type { Connection } from '#contract/console/connections.ts'
import {
  type Choices,
  leftToDecide,
  noChoices,
  withDecisions,
  withMapping,
  otherConnections,
  targetsOf,
} from './targets.ts'
import { EarlierRuns } from './EarlierRuns.tsx'
import { MappingTable } from './MappingTable.tsx'
import { PromoteBar } from './PromoteBar.tsx'
import { promoteState, recordsText, targetsText } from './promoteState.ts'
import { SelectionPanel } from './SelectionPanel.tsx'
import { useRecords } from './useRecords.ts'
import * as css from './promote.module.css'

export function prefetch(): void {
  void queryClient.prefetchQuery(runsQuery)
}

/** Copies records of one connection to others, with all that they need. */
export default function PromotePage() {
  const { connections, connection: last } = useFrameConnection()
  const [state, setUrl] = useUrlState(promoteState)
  const [choices, setChoices] = useState<Choices>({})
  const from = connections.find(({ id }) => id === (state.from ?? last?.id))
  const { records, isLoading } = useRecords(from?.id)
  const others = otherConnections(connections, from)
  const to = targetsOf(state.to, others.targets)
  const input: PromotionInput = {
    from: from?.id ?? '',
    records: state.records,
    targets: to.map((connectionId) => ({ connectionId, ...(choices[connectionId] ?? noChoices) })),
  }
  const canPlan = from !== undefined && state.records.length > 0 && to.length > 0
  const query = useQuery({ ...promotionPlanQuery(input), enabled: canPlan, placeholderData: keepPreviousData })
  const plan = canPlan ? query.data : undefined
  const targets = (plan?.targets ?? []).flatMap((target) => {
    const connection = connections.find(({ id }) => id === target.connectionId)
    return connection && to.includes(connection.id) ? [{ connection, plan: target }] : []
  })
  const unmapped = targets
    .flatMap(({ plan: targetPlan }) => targetPlan.mapping)
    .filter(({ choice }) => choice === null).length
  const left = targets.flatMap((target) => leftToDecide(target.plan, target.connection.name))
  const start = async (continueOnFailure: boolean) => {
    try {
      const changing = targets.filter(({ plan: targetPlan }) => isChanging(targetPlan))
      const runs = await startPromotion({
        ...input,
        targets: input.targets.filter(({ connectionId }) =>
          changing.some(({ connection }) => connection.id === connectionId),
        ),
        digests: Object.fromEntries(changing.map((target) => [target.connection.id, target.plan.digest])),
        continueOnFailure,
      })
      if (runs.length > 0) setUrl({ runs: runs.join(',') })
    } catch (error) {
      toastFailure(error)
    }
    await query.refetch()
  }
  if (connections.length < 2) {
    return (
      <Page title="Promote" lead={lead}>
        <EmptyState title="Add another connection">
          A promotion copies records from one connection to another.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page
      title="Promote"
      lead={lead}
      state={left.length > 0 && <StatusChip tone="warn">{counted(left.length, 'decision')} left</StatusChip>}
    >
      <div className={css.promoteColumns}>
        <div className={css.promoteMain}>
          <div className={css.promoteTop}>
            <SelectionPanel
              connections={connections}
              from={from}
              others={others}
              to={to}
              chosen={state.records}
              records={records}
              isLoading={isLoading}
              plan={plan}
              onFrom={(id) => setUrl({ from: id, records: undefined, to: undefined })}
              onTo={(ids) => setUrl({ from: from?.id, to: targetsText(ids) })}
              onRecords={(chosen) => setUrl({ from: from?.id, records: recordsText(chosen) })}
            />
            <Panel title="Mapping" flush aside={unmapped > 0 && `${unmapped} to decide`}>
              {from && targets.some((target) => target.plan.mapping.length > 0) ? (
                <MappingTable
                  from={from}
                  targets={targets}
                  onChoose={(id, key, choice) => setChoices((all) => withMapping(all, id, key, choice))}
                />
              ) : (
                <PanelText>
                  Sources and webhooks that the chosen records use are found on each target, by name or by table.
                </PanelText>
              )}
            </Panel>
          </div>
          {query.error && canPlan && <QueryError error={query.error} onRetry={() => void query.refetch()} />}
          {canPlan && !plan && !query.error && <LoadingPanels heights={[160]} />}
          {from &&
            targets.map((target) => (
              <TargetPanel
                key={target.connection.id}
                from={from}
                connection={target.connection}
                plan={target.plan}
                decisions={choices[target.connection.id] ?? noChoices}
                onDecide={(decided) => setChoices((all) => withDecisions(all, target.connection.id, decided))}
              />
            ))}
          {!canPlan && (
            <Panel title="Plan" flush>
              <PanelText>Choose records and at least one target: the plan shows what would change there.</PanelText>
            </Panel>
          )}
        </div>
        <div className={css.promoteSide}>
          {state.runs.map((runId) => (
            <RunPanel key={runId} runId={runId} onUndo={(undo) => setUrl({ runs: [undo, ...state.runs].join(',') })} />
          ))}
          <EarlierRuns connections={connections} onOpen={(runId) => setUrl({ runs: runId })} />
        </div>
      </div>
      {targets.some((target) => isChanging(target.plan)) && (
        <PromoteBar targets={targets} left={left} isPlanning={query.isFetching} onStart={start} />
      )}
    </Page>
  )
}

const lead = 'Copies records with all they need. What was promoted before is updated, not duplicated.'

function isChanging({ counts, problem }: TargetPlan): boolean {
  return problem === undefined && counts.create + counts.update + counts.delete > 0
}

interface TargetPanelProps {
  from: Connection
  connection: Connection
  plan: TargetPlan
  decisions: Decisions
  onDecide: (decisions: Decisions) => void
}

/** The plan of a promotion on one connection. */
function TargetPanel({ from, connection, plan, decisions, onDecide }: TargetPanelProps) {
  const changes = plan.counts.create + plan.counts.update + plan.counts.delete
  const isSame = changes === 0 && !plan.steps.some((step) => step.conflicts.length > 0)
  return (
    <Panel title={`Plan for ${connection.name}`} aside={<PlanSummary plan={plan} />} flush>
      {plan.problem !== undefined && <PanelText>{plan.problem}</PanelText>}
      {plan.problem === undefined && isSame && <PanelText>Nothing to do: everything is the same there.</PanelText>}
      {changes > 0 && <PlanTable steps={plan.steps} label={`Plan for ${connection.name}`} />}
      <PlanDecisions
        steps={plan.steps}
        names={[from.name, connection.name]}
        since="at the last promotion"
        decisions={decisions}
        onDecide={onDecide}
      />
    </Panel>
  )
}
