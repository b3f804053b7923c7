import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { dashboards } from '#contract/dashboards.ts'
import { sources as sourceEndpoints } from '#contract/sources.ts'
import { errorWords } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths.ts'
import { MatchTable } from '#console/shell/telemetry/MatchTable.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { copyBody } from '../model/duplicate.ts'
import { type RefusedTile, refusedTiles, withoutTiles } from '../model/refusedTiles.ts'
import { type ImportedFile, matchImport, readImport, withSources } from '../model/importExport.ts'

/** Takes in a dashboard from a file: its sources are found here by kind, name and table, and may be chosen. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { id: connectionId } = useConnection()
  const navigate = useNavigate()
  const [file, setFile] = useState<ImportedFile | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [leftOut, setLeftOut] = useState<string[]>([])
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const sources = useQuery(q(connectionId, sourceEndpoints.list, {}))
  const matches = useMemo(() => {
    const here = sources.data ?? []
    return (file ? matchImport(file, here) : []).map((match) => {
      const byHand = here.find(({ id }) => id === chosen[match.wanted.id])
      return byHand ? { ...match, to: byHand, how: 'chosen by hand' } : match
    })
  }, [file, sources.data, chosen])
  const open = matches.filter(({ to }) => to === null).length
  const create = useApiMutation(connectionId, dashboards.create, {
    onSuccess: async (created) => {
      toast({ tone: 'ok', text: `Imported “${created.name}”` })
      await navigate({ to: paths.dashboard(connectionId, created.id) })
    },
  })

  const read = async (picked: File | undefined) => {
    if (!picked) return
    try {
      const content = readImport(await picked.text())
      setFile(content)
      setName(content.dashboard.name)
      setProblem(null)
      setLeftOut([])
      create.reset()
    } catch (error) {
      setFile(null)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const refused = file && create.isError ? refusedTiles(create.error.fields, file.dashboard) : null
  const leaveOut = () => {
    if (!file || !refused) return
    setFile({ ...file, dashboard: withoutTiles(file.dashboard, refused) })
    setLeftOut([...leftOut, ...refused.map(({ name }) => name)])
    create.reset()
  }
  const submit = () => {
    if (!file) return
    const ids = new Map(matches.flatMap(({ wanted, to }) => (to ? [[wanted.id, to.id] as const] : [])))
    create.mutate({ body: copyBody(withSources(file.dashboard, ids), name) })
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="import-title">
      <DialogTitle id="import-title">Import a dashboard</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 4 }}>
        {create.isError && !refused && <SubmitError error={errorWords(create.error)} />}
        {refused && <RefusedTiles refused={refused} onLeaveOut={leaveOut} />}
        <Box
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            void read(event.dataTransfer.files[0])
          }}
          sx={{
            border: 1,
            borderStyle: 'dashed',
            borderColor: 'tone.edge',
            borderRadius: '10px',
            p: 4,
            textAlign: 'center',
          }}
        >
          <Button component="label" startIcon={<Upload size={14} aria-hidden />}>
            Choose a JSON file
            <input
              type="file"
              accept=".json,application/json"
              aria-label="Dashboard file"
              onChange={(event) => void read(event.target.files?.[0])}
              style={{ position: 'absolute', width: 1, height: 1, opacity: 0 }}
            />
          </Button>
          <Typography variant="caption" color="textSecondary" sx={{ display: 'block', mt: 1 }}>
            or drop it here. An export of this console, or a dashboard as the API answers it.
          </Typography>
        </Box>
        {problem && (
          <Notice tone="error" role="alert">
            {problem}
          </Notice>
        )}
        {file && (
          <>
            <TextField label="Name" value={name} onChange={(event) => setName(event.target.value)} />
            <Typography color="textSecondary">
              {file.dashboard.tiles.length} tiles, {file.dashboard.filters.length} filters. Tiles and filters get ids of
              their own.{leftOut.length > 0 && ` Left out: ${leftOut.join(', ')}.`}
            </Typography>
            {sources.isError && <Notice tone="warning">{errorWords(sources.error).sentence}</Notice>}
            {matches.length > 0 && (
              <MatchTable
                matches={matches}
                candidates={sources.data ?? []}
                onChoose={(from, to) => setChosen((before) => ({ ...before, [from]: to }))}
              />
            )}
            {open > 0 && (
              <Notice tone="warning">
                {open === 1 ? 'One source has' : `${open} sources have`} no counterpart here. The deployment may refuse
                a dashboard that names sources it does not have.
              </Notice>
            )}
          </>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="contained" color="primary" disabled={!file} loading={create.isPending} onClick={submit}>
          Import
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** What the deployment does not take, tile by tile; the others can come without them. */
function RefusedTiles({ refused, onLeaveOut }: { refused: readonly RefusedTile[]; onLeaveOut: () => void }) {
  return (
    <Notice
      tone="error"
      role="alert"
      action={<Button onClick={onLeaveOut}>Leave {refused.length === 1 ? 'it' : 'them'} out</Button>}
    >
      The deployment does not take {refused.length === 1 ? 'one tile' : `${refused.length} tiles`}:
      <Box component="ul" sx={{ m: 0, pl: 4, overflowWrap: 'anywhere' }}>
        {refused.map(({ index, name, messages }) => (
          <li key={index}>
            <strong>{name}</strong>: {messages.join('; ')}
          </li>
        ))}
      </Box>
    </Notice>
  )
}
