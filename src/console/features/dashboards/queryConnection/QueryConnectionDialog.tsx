import { Dialog } from '#console/ui/mui/Dialog.tsx'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Connection } from '#contract/connections.ts'
import { type Source, sources as sourceEndpoints } from '#contract/sources.ts'
import { connectionsQuery } from '#console/api/connections.ts'
import { formatError } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { matchSources } from '#console/telemetry/sourceMatch.ts'
import { stageLabels } from '#console/shell/stage/stageLabels.ts'
import { MatchTable } from '#console/shell/telemetry/MatchTable.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import {
  setQueryConnectionChoice,
  useQueryConnectionChoice,
} from '#console/telemetry/queryConnection/queryConnectionChoice.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import css from './QueryConnectionDialog.module.css'

interface QueryConnectionDialogProps {
  connection: Connection
  sources: readonly Source[]
  onClose: () => void
}

/** Chooses the connection that queries data for this one, and maps the sources. */
export function QueryConnectionDialog({ connection, sources, onClose }: QueryConnectionDialogProps) {
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const now = useQueryConnectionChoice(connection, connections)
  const candidates = connections.filter((one) => one.variant === 'openSource')
  const [partnerId, setPartnerId] = useState(now?.connectionId ?? candidates[0]?.id ?? '')
  const [chosen, setChosen] = useState(now?.sources ?? {})
  const there = useQuery({ ...q(partnerId, sourceEndpoints.list, {}), enabled: partnerId !== '' })
  const matches = matchSources(sources, there.data ?? [], chosen)

  const pair = () => {
    setQueryConnectionChoice(connection.id, { connectionId: partnerId, sources: chosen })
    onClose()
  }
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby="pair-title">
      <DialogTitle id="pair-title">Query connection of {connection.name}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 4 }}>
        <Text color="textSecondary">
          Dashboards are stored on {connection.name}. Their data is queried through an open-source connection to the
          same data. This setting is stored in this browser.
        </Text>
        {candidates.length === 0 ? (
          <Notice tone="warning">No open-source connection yet. Add one under Connections.</Notice>
        ) : (
          <TextField
            select
            label="Query data through"
            value={partnerId}
            onChange={(event) => {
              setPartnerId(event.target.value)
              setChosen({})
            }}
          >
            {candidates.map(({ id, name, stage }) => (
              <MenuItem key={id} value={id}>
                {name} · {stageLabels[stage]}
              </MenuItem>
            ))}
          </TextField>
        )}
        {there.isError && <Notice tone="error">{formatError(there.error).sentence}</Notice>}
        {there.data && (
          <MatchTable
            matches={matches}
            candidates={there.data}
            onChoose={(from, to) => setChosen((before) => ({ ...before, [from]: to }))}
          />
        )}
      </DialogContent>
      <DialogActions>
        {now && (
          <Button
            color="error"
            onClick={() => {
              setQueryConnectionChoice(connection.id, null)
              onClose()
            }}
          >
            Remove query connection
          </Button>
        )}
        <div className={css.spacer} />
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="contained" color="primary" disabled={!there.data} onClick={pair}>
          Save
        </Button>
      </DialogActions>
    </Dialog>
  )
}
