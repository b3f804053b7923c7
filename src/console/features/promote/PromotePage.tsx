import type { ComponentProps } from 'react'
import { runsQuery } from '#console/api/gateway/runs.ts'
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
import type { TargetPlan } from '#contract/console/runs.ts'
import type { Decisions } from '#console/records/runs/decisions.ts'
import { PlanDecisions } from '#console/records/runs/PlanDecisions.tsx'
import { PlanSummary } from '#console/records/runs/PlanSummary.tsx'
import { PlanTable } from '#console/records/runs/PlanTable.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { otherConnections, targetsOf } from './targets.ts'
import { EarlierRuns } from './EarlierRuns.tsx'
import { MappingTable } from './MappingTable.tsx'
import { PromoteBar } from './PromoteBar.tsx'
import { promoteState, recordsText, targetsText } from './promoteState.ts'
import { SelectionPanel } from './SelectionPanel.tsx'
import { usePromotion } from './usePromotion.ts'
import { useRecords } from './useRecords.ts'
import * as css from './promote.module.css'

export function prefetch(): void {
  void queryClient.prefetchQuery(runsQuery)
}

/** Copies records of one connection to others, with all that they need. */
export default function PromotePage() {
  const { connections, connection: last } = useFrameConnection()
  const [state, setUrl] = useUrlState(promoteState)
  const from = connections.find(({ id }) => id === (state.from ?? last?.id))
  const { records, isLoading } = useRecords(from?.id)
  const others = otherConnections(connections, from)
  const to = targetsOf(state.to, others.targets)
  const promotion = usePromotion({ connections, from, to, records: state.records })
  const { canPlan, query, plan, targets, left } = promotion
  const start = async (continueOnFailure: boolean) => {
    try {
      const runs = await promotion.start(continueOnFailure)
      if (runs.length > 0) setUrl({ runs: runs.join(',') })
    } catch (error) {
      toastFailure(error)
    }
    await query.refetch()
  }
  if (connections.length < 2) return <NoOtherConnection />
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
            <MappingPanel from={from} targets={targets} onChoose={promotion.chooseMapping} />
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
                decisions={promotion.decisionsFor(target.connection.id)}
                onDecide={(decisions) => promotion.decide(target.connection.id, decisions)}
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
      {promotion.isChanging && (
        <PromoteBar targets={targets} left={left} isPlanning={query.isFetching} onStart={start} />
      )}
    </Page>
  )
}

const lead = 'Copies records with all they need. What was promoted before is updated, not duplicated.'

function NoOtherConnection() {
  return (
    <Page title="Promote" lead={lead}>
      <EmptyState title="Add another connection">A promotion copies records from one connection to another.</EmptyState>
    </Page>
  )
}

interface MappingPanelProps extends Omit<ComponentProps<typeof MappingTable>, 'from'> {
  from: Connection | undefined
}

function MappingPanel({ from, targets, onChoose }: MappingPanelProps) {
  const mapping = targets.flatMap(({ plan }) => plan.mapping)
  const unmapped = mapping.filter(({ choice }) => choice === null).length
  return (
    <Panel title="Mapping" flush aside={unmapped > 0 && `${unmapped} to decide`}>
      {from && mapping.length > 0 ? (
        <MappingTable from={from} targets={targets} onChoose={onChoose} />
      ) : (
        <PanelText>
          Sources and webhooks that the chosen records use are found on each target, by name or by table.
        </PanelText>
      )}
    </Panel>
  )
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
