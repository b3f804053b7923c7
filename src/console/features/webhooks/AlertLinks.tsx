import Box from '@mui/material/Box'
import { alertName, useNames } from '#console/references/alertNames.ts'
import type { WebhookUse } from '#console/references/usage.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'

interface AlertLinksProps {
  uses: readonly WebhookUse[]
  /** For links in a question: following one is not an answer to it. */
  newTab?: boolean
}

/** The alerts that name a webhook, each with what the API makes of it. */
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
              as a further channel: it would be left dangling
            </Box>
          )}
        </Box>
      ))}
    </Box>
  )
}
