import { useCallback, useMemo, useState } from 'react'
import { z } from 'zod'
import { useUrlState } from '#console/shell/urlState.ts'
import type { Source } from '#contract/stack/sources.ts'
import { problemsOf, withDefaults, withSourceNames } from './query.ts'
import { type ExplorerState, readExplorer, writeExplorer } from './state.ts'

const explorerUrl = z.record(z.string(), z.string()).transform(readExplorer)

/** Edits that take effect when the query is run; all other state takes effect immediately. */
export type Draft = Pick<ExplorerState, 'series' | 'groupBy' | 'formula'>

const draftOf = ({ series, groupBy, formula }: ExplorerState): Draft => ({ series, groupBy, formula })

/** The explorer's state: the URL (which is drawn), and the draft of the next query. */
export function useExplorer(sources: readonly Source[]) {
  const [{ state: inAddress, notices }, change] = useUrlState(explorerUrl)
  const state = useMemo(() => withDefaults(inAddress, sources), [inAddress, sources])
  const applied = JSON.stringify(draftOf(state))
  const [edit, setEdit] = useState({ applied, draft: draftOf(state) })
  // The address changed under the draft: a run, the back button, another connection.
  if (edit.applied !== applied) setEdit({ applied, draft: draftOf(state) })

  const draft = edit.draft
  const searchOf = useCallback(
    (part: Partial<ExplorerState>) => writeExplorer(withSourceNames({ ...state, ...part }, sources)),
    [state, sources],
  )
  const apply = useCallback(
    (part: Partial<ExplorerState>) => change(searchOf(part), { push: true }),
    [change, searchOf],
  )
  return {
    state,
    notices,
    draft,
    dirty: JSON.stringify(draft) !== applied,
    problems: problemsOf({ ...state, ...draft }, sources),
    editDraft: (part: Partial<Draft> | ((now: Draft) => Partial<Draft>)) =>
      setEdit((now) => ({
        ...now,
        draft: { ...now.draft, ...(typeof part === 'function' ? part(now.draft) : part) },
      })),
    /** Puts a part of the state into the address, as a step that the back button undoes. */
    apply,
    /** The query string of the state with a part of it changed. */
    searchOf,
  }
}

export type Explorer = ReturnType<typeof useExplorer>
