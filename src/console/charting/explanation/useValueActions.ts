import { wholeOf, type Subject } from '#console/charting/explanation/question.ts'
import { withAttribute, type Condition } from '#console/charting/explanation/valueCondition.ts'
import { filterMode, type ValueFilter } from '#console/charting/search/filters.ts'
import { searchProblem } from '#console/charting/search/eventsLink.ts'
import { absoluteRange } from '#console/ui/time/range.ts'
import type { AttributeValue } from '#domain/explanation/attributeCounts.ts'
import type { Zone } from '#domain/time/zone.ts'
import { useViewEvents } from '../search/useViewEvents.ts'
import type { Asked } from './useChartExplain.ts'

/** The condition that a click on a value adds to. */
export interface ExplainFilters {
  /** Names what is filtered: `chart` or `dashboard`. */
  noun: string
  conditionOf: (subject: Subject) => Condition
  /** Changes the condition of what is filtered. */
  apply: (subject: Subject, add: (condition: Condition) => Condition | null) => void
}

interface ValueAction {
  /** Whether the condition keeps the rows of the value already, or leaves them out. */
  mode: ValueFilter['mode'] | null
  /** Why it cannot be filtered by; undefined if it can. */
  problem: string | undefined
  run: (mode: ValueFilter['mode']) => void
}

export interface ValueActions {
  /** Begins the names of the buttons. */
  verb: string
  /** @param value null for rows without the attribute */
  of: (attribute: string, value: AttributeValue | null) => ValueAction
}

interface Wanted {
  connectionId: string
  subject: Subject
  asked: Asked
  zone: Zone
  filters: ExplainFilters | undefined
}

/** The action of a click on a value: it filters what the page shows, or opens the search for the rows. */
export function useValueActions({ connectionId, subject, asked, zone, filters }: Wanted): ValueActions {
  const { problem: noSearch, open } = useViewEvents(connectionId, zone)
  const { source, series } = subject
  const condition: Condition = filters
    ? filters.conditionOf(subject)
    : { text: series.where, language: series.whereLanguage }
  const problem = filters ? undefined : (noSearch ?? searchProblem(source.id, [source]))
  const search = ({ text: q, language: lang }: Condition) =>
    open({ link: { source: source.id, q, lang, ...absoluteRange(wholeOf({ ...asked, subject })) } })
  return {
    verb: filters ? `Filter the ${filters.noun} by` : 'Search for rows with',
    of: (attribute, value) => {
      const added = (to: Condition, mode: ValueFilter['mode']) => withAttribute(to, { attribute, value, mode })
      const isEqual = value?.kind !== 'range'
      return {
        mode: isEqual
          ? filterMode(condition.text, { expression: attribute, value: value?.text ?? '' }, condition.language)
          : null,
        problem:
          problem ?? (added(condition, 'in') ? undefined : 'The language of the condition cannot express this value.'),
        run: (mode) => {
          if (filters) return filters.apply(subject, (to) => added(to, mode))
          const changed = added(condition, mode)
          if (changed) search(changed)
        },
      }
    },
  }
}
