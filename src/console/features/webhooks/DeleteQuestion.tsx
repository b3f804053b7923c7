import Box from '@mui/material/Box'
import type { WebhookUse } from '#console/references/usage.ts'
import { AlertLinks } from './AlertLinks.tsx'

interface DeleteQuestionProps {
  /** Alerts that name it as a further channel: the API does not keep it for them. */
  uses: readonly WebhookUse[]
  /** The alerts could not be read. */
  unknown: boolean
  comesBack: boolean
}

/** What deleting a webhook will do. */
export function DeleteQuestion({ uses, unknown, comesBack }: DeleteQuestionProps) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      {uses.length > 0 && (
        <div>
          Alerts that name it would go on naming it, and nobody is told through that channel:
          <AlertLinks uses={uses} newTab />
        </div>
      )}
      {unknown && (
        <div>Which alerts use it could not be read. The API refuses while one has it as its first channel.</div>
      )}
      <div>
        {comesBack
          ? 'Undo makes it again with a new id. Headers and query parameters cannot be read and do not come back.'
          : 'It cannot be taken back: its address, or its body, is not readable here.'}
      </div>
    </Box>
  )
}
