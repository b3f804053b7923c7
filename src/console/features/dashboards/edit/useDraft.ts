import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { sameJson } from '#domain/json/json.ts'
import { deleteDraft, storeDraft, loadDraft } from '../model/draftStore.ts'

export interface Draft {
  /** The version that the edit started from. */
  base: Dashboard
  /** The edited version. */
  dashboard: Dashboard
  dirty: boolean
  /** Whether it is stored in the browser and survives a reload. */
  persisted: boolean
  /** Steps with the same mark right after each other are one step of undo. */
  edit: (step: (dashboard: Dashboard) => Dashboard, mark?: string) => void
  undo: (() => void) | null
  redo: (() => void) | null
  /** Starts over from the version that the deployment has now. */
  restart: (base: Dashboard) => void
}

interface State {
  base: Dashboard
  history: History<Dashboard>
}

/** Milliseconds after the last change at which it is stored. */
const pause = 300

/** The draft of a dashboard: the stored one, or a new one. */
export function useDraft(connectionId: string, read: Dashboard): Draft {
  const [{ base, history }, setState] = useState<State>(() => {
    const stored = loadDraft(connectionId, read.id)
    return { base: stored?.base ?? read, history: startHistory(stored?.draft ?? read) }
  })
  const [persisted, setPersisted] = useState(true)
  const { present } = history
  const dirty = useMemo(() => !sameJson(base, present), [base, present])

  useEffect(() => {
    if (!dirty) {
      deleteDraft(connectionId, base.id)
      return undefined
    }
    const keep = () => setPersisted(storeDraft(connectionId, base.id, { base, draft: present, at: Date.now() }))
    const timer = setTimeout(keep, pause)
    window.addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
    }
  }, [connectionId, base, present, dirty])

  const change = useCallback(
    (step: (history: History<Dashboard>) => History<Dashboard>) =>
      setState((state) => ({ ...state, history: step(state.history) })),
    [],
  )
  const edit = useCallback<Draft['edit']>(
    (step, mark) => change((before) => record(before, step(before.present), mark ?? null)),
    [change],
  )
  const restart = useCallback(
    (next: Dashboard) => {
      // Immediately, because the next page looks for drafts.
      deleteDraft(connectionId, next.id)
      setState({ base: next, history: startHistory(next) })
    },
    [connectionId],
  )
  return {
    base,
    dashboard: present,
    dirty,
    persisted,
    edit,
    undo: history.past.length > 0 ? () => change(undo) : null,
    redo: history.future.length > 0 ? () => change(redo) : null,
    restart,
  }
}

interface EditKeys {
  undo: (() => void) | null
  redo: (() => void) | null
  save: (() => void) | null
}

/**
 * Ctrl or Cmd with Z, Shift Z, Y and S. Texts keep their own undo, and dialogs have their own keys. The browser never saves
 * the page as a file.
 */
export function useEditKeys({ undo, redo, save }: EditKeys): void {
  // Before the page is painted: a key pressed at the first sight of a change counts.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return
      const key = event.key.toLowerCase()
      if (key === 's') event.preventDefault()
      if (document.querySelector('[role="dialog"]')) return
      const run =
        key === 's'
          ? save
          : isText(event.target)
            ? null
            : key === 'y' || (key === 'z' && event.shiftKey)
              ? redo
              : key === 'z'
                ? undo
                : null
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [undo, redo, save])
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA'].includes(target.tagName))
}

interface History<T> {
  past: readonly T[]
  present: T
  future: readonly T[]
  /** The field that the last step edited: further typing in it belongs to the same step. */
  mark: string | null
}

const maxSteps = 200

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], mark: null }
}

/** A new state. With the mark of the step before it, it replaces that step's result. */
export function record<T>(history: History<T>, next: T, mark: string | null = null): History<T> {
  if (Object.is(next, history.present)) return history
  if (mark !== null && mark === history.mark && history.past.length > 0) {
    return { ...history, present: next, future: [] }
  }
  return { past: [...history.past, history.present].slice(-maxSteps), present: next, future: [], mark }
}

export function undo<T>(history: History<T>): History<T> {
  const previous = history.past.at(-1)
  if (previous === undefined) return history
  return {
    past: history.past.slice(0, -1),
    present: previous,
    future: [history.present, ...history.future],
    mark: null,
  }
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.present], present: next, future, mark: null }
}
