import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { promotionPlanQuery, startPromotion } from '#console/api/gateway/runs.ts'
import type { Decisions } from '#console/records/runs/decisions.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { PromotionInput, TargetPlan } from '#contract/console/runs.ts'
import type { ChosenRecord } from './promoteState.ts'
import { leftToDecide, noChoices, withDecisions, withMapping, type Choices, type MappingChoice } from './targets.ts'

interface PromotionOptions {
  connections: readonly Connection[]
  from: Connection | undefined
  /** The IDs of the targets. */
  to: readonly string[]
  records: readonly ChosenRecord[]
}

/** A promotion before it starts: its plan on each target, with the choices that a person makes for it. */
export function usePromotion({ connections, from, to, records }: PromotionOptions) {
  const [choices, setChoices] = useState<Choices>({})
  const input: PromotionInput = {
    from: from?.id ?? '',
    records: [...records],
    targets: to.map((connectionId) => ({ connectionId, ...(choices[connectionId] ?? noChoices) })),
  }
  const canPlan = from !== undefined && records.length > 0 && to.length > 0
  const query = useQuery({ ...promotionPlanQuery(input), enabled: canPlan, placeholderData: keepPreviousData })
  const plan = canPlan ? query.data : undefined
  const targets = (plan?.targets ?? []).flatMap((target) => {
    const connection = connections.find(({ id }) => id === target.connectionId)
    return connection && to.includes(connection.id) ? [{ connection, plan: target }] : []
  })
  const changing = targets.filter((target) => isChanging(target.plan))
  return {
    /** Something is chosen and has somewhere to go. */
    canPlan,
    query,
    plan,
    targets,
    isChanging: changing.length > 0,
    /** The decisions that are left before it can start. */
    left: targets.flatMap((target) => leftToDecide(target.plan, target.connection.name)),
    decisionsFor: (connectionId: string): Decisions => choices[connectionId] ?? noChoices,
    chooseMapping: (connectionId: string, key: string, choice: MappingChoice) =>
      setChoices((all) => withMapping(all, connectionId, key, choice)),
    decide: (connectionId: string, decisions: Decisions) =>
      setChoices((all) => withDecisions(all, connectionId, decisions)),
    /** Starts it where something changes, and returns the IDs of the runs. */
    start: (continueOnFailure: boolean) =>
      startPromotion({
        ...input,
        targets: input.targets.filter(({ connectionId }) =>
          changing.some(({ connection }) => connection.id === connectionId),
        ),
        digests: Object.fromEntries(changing.map((target) => [target.connection.id, target.plan.digest])),
        continueOnFailure,
      }),
  }
}

function isChanging({ counts, problem }: TargetPlan): boolean {
  return problem === undefined && counts.create + counts.update + counts.delete > 0
}
