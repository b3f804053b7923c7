import { Timestamp } from '#console/ui/Timestamp.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Alert } from '#contract/stack/alerts.ts'
import { executionProblems } from '#console/usages/executionProblems.ts'
import * as css from './alertDetail.module.css'

/** Errors of the last evaluation and of its notifications. */
export function ExecutionErrors({ alert }: { alert: Alert }) {
  return executionProblems(alert).map(({ tone, title, state, errors }) => (
    <Notice key={title} tone={tone}>
      <strong>{title}</strong> {state}
      <ul className={css.errors}>
        {errors.map((error, at) => (
          <li key={at}>
            {error.type} <Timestamp iso={error.timestamp} />: {error.message}
          </li>
        ))}
      </ul>
    </Notice>
  ))
}
