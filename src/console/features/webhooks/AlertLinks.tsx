import Box from '@mui/material/Box'
import { alertName, useNames } from '#console/references/alertNames.ts'
import type { WebhookUse } from '#console/references/usage.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'

interface AlertLinksProps {
  uses: readonly WebhookUse[]
  /** For links inside a question, which stays open. */
  newTab: boolean
}

/** Links to the alerts that use a webhook. */
export function AlertLinks({ uses, newTab }: AlertLinksProps) {
  const connection = useConnection()
  const names = useNames(connection)
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 320, overflow: 'auto' }}>
      {uses.map(({ alert, guarded }) => (
        <Box component="li" key={alert.id} sx={{ py: 0.5, overflowWrap: 'anywhere' }}>
          <TextLink underline="always" to={paths.alert(connection.id, alert.id)} {...(newTab && { target: '_blank' })}>
            {alertName(alert, names)}
          </TextLink>
          {!guarded && (
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {' '}
              (additional channel)
            </Box>
          )}
        </Box>
      ))}
    </Box>
  )
}
