import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { pipeKind } from '#contract/pipeKinds.ts'
import type { Pipe } from '#contract/pipes.ts'
import { settingsFor, formatSetting, unknownSettings } from './settingsForm.ts'

/** The settings of a pipe by key, including defaults. */
export function SettingsPanel({ pipe }: { pipe: Pipe }) {
  const settings = settingsFor(pipeKind(pipe))
  const stored = pipe.settings ?? {}
  if (settings.length === 0) {
    return (
      <Panel title="Settings">
        <Typography color="textSecondary">
          Database pipes have no separate settings. Their options are part of the source.
        </Typography>
      </Panel>
    )
  }
  const rows = [
    ...settings.map(({ key, meaning, ...setting }) => ({
      key,
      meaning,
      value: formatSetting({ key, meaning, ...setting }, stored[key]),
    })),
    ...unknownSettings(stored).map(([key, value]) => ({ key, meaning: '', value })),
  ]
  return (
    <Panel title="Settings" flush>
      <Table size="small" aria-label="Settings" sx={{ tableLayout: 'fixed' }}>
        <TableHead>
          <TableRow>
            <TableCell>Setting</TableCell>
            <TableCell sx={{ width: { xs: 120, sm: 180 } }}>Value</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ key, meaning, value }) => (
            <TableRow key={key}>
              <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
                <code>{key}</code>
                {meaning && (
                  <Typography variant="caption" color="textSecondary" sx={{ display: 'block' }}>
                    {meaning}
                  </Typography>
                )}
              </TableCell>
              <TableCell>{value}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Panel>
  )
}
