/** The errors of an alert's last run, and what they mean for its state: docs/DEPLOYMENTS.md#alert-evaluation. */
import type { Alert } from '#contract/stack/alerts.ts'

type ExecutionError = NonNullable<Alert['executionErrors']>[number]

interface ExecutionProblem {
  /** A delivery that failed is no error of the evaluation. */
  tone: 'error' | 'warning'
  title: string
  /** The reliability of the shown state. */
  state: string
  errors: readonly ExecutionError[]
}

type ProblemText = Omit<ExecutionProblem, 'errors'>

const before = 'The state is from an earlier evaluation.'
const kinds: Partial<Record<string, ProblemText>> = {
  WEBHOOK_ERROR: {
    tone: 'warning',
    title: 'A notification could not be delivered.',
    state: 'The alert was evaluated. Its state is current.',
  },
  QUERY_ERROR: { tone: 'error', title: 'The last evaluation failed: its query returned an error.', state: before },
  QUERY_TIMEOUT: { tone: 'error', title: 'The last evaluation failed: its query timed out.', state: before },
  INVALID_ALERT: {
    tone: 'error',
    title: 'The configuration of the alert is invalid.',
    state: 'The state is from the last successful evaluation.',
  },
  UNKNOWN: { tone: 'error', title: 'The last evaluation failed for an unknown reason.', state: before },
}
const other: ProblemText = {
  tone: 'error',
  title: 'The last evaluation reported a problem.',
  state: 'The state may be out of date.',
}

/** The problems of an alert's last run, each kind once, errors of the evaluation first. */
export function executionProblems({ executionErrors }: Pick<Alert, 'executionErrors'>): ExecutionProblem[] {
  const found = new Map<ProblemText, ExecutionError[]>()
  for (const error of executionErrors ?? []) {
    const words = kinds[error.type ?? ''] ?? other
    found.set(words, [...(found.get(words) ?? []), error])
  }
  return [...found]
    .map(([words, errors]) => ({ ...words, errors }))
    .toSorted((a, b) => Number(a.tone === 'warning') - Number(b.tone === 'warning'))
}
