/** Undo and redo over immutable states. */

export interface History<T> {
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
