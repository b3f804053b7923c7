import Box from '@mui/material/Box'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Alert } from '#contract/alerts.ts'
import { executionProblems } from '#console/references/executionProblems.ts'

/** Errors of the last evaluation and of its notifications. */
export function ExecutionErrors({ alert }: { alert: Alert }) {
  return executionProblems(alert).map(({ tone, title, state, errors }) => (
    <Box key={title} sx={{ gridColumn: '1 / -1' }}>
      <Notice tone={tone}>
        <strong>{title}</strong> {state}
        <Box component="ul" sx={{ m: 0, pl: 4 }}>
          {errors.map((error, at) => (
            <li key={at}>
              {error.type} <Timestamp iso={error.timestamp} />: {error.message}
            </li>
          ))}
        </Box>
      </Notice>
    </Box>
  ))
}
