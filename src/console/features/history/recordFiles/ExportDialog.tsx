import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { formatError } from '#console/api/errors.ts'
import { exportRecords } from '#console/api/gateway/recordFiles.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { kindLabel } from '#console/shell/recordKinds.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { download } from '#console/ui/download.ts'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { counted } from '#domain/text/words.ts'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { ExportedKind } from '#contract/console/recordFiles.ts'
import { zipName } from './zipFile.ts'
import * as css from '../history.module.css'

/** Downloads all records of the connection, and says what could not be read. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const connection = useConnection()
  const exporting = useMutation({
    mutationFn: async () => {
      const { zip, kinds } = await exportRecords(connection.id)
      const name = zipName(connection.name, new Date())
      download(name, 'application/zip', zip)
      return { name, kinds }
    },
  })
  const { data, error, isPending } = exporting
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="export-title" aria-busy={isPending}>
      <DialogTitle id="export-title">Export records</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
        <ConnectionLine connection={connection} />
        <Text>
          All sources, webhooks, saved searches, dashboards and alerts as one zip, a YAML file for each: the files that{' '}
          <code>stack-console export</code> writes. The URLs of webhooks are credentials and are left out.
        </Text>
        {error && <SubmitError error={formatError(error)} />}
        {data && <Outcome name={data.name} kinds={data.kinds} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{data ? 'Close' : 'Cancel'}</Button>
        <Button
          variant={data ? 'outlined' : 'contained'}
          color={data ? 'inherit' : 'primary'}
          loading={isPending}
          startIcon={<Download size={14} aria-hidden />}
          onClick={() => exporting.mutate()}
        >
          {data ? 'Download again' : 'Download'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Outcome({ name, kinds }: { name: string; kinds: readonly ExportedKind[] }) {
  const records = kinds.reduce((sum, { count = 0 }) => sum + count, 0)
  const failed = kinds.filter(({ state }) => state === 'failed')
  const absent = kinds
    .filter(({ state }) => state === 'notOffered')
    .map(({ kind }) => kindLabel(kind).many.toLowerCase())
  return (
    <>
      <Notice tone={failed.length > 0 ? 'warning' : 'success'} role="status">
        <span className={css.fileName}>{name}</span> has {counted(records, 'record')}.
        {failed.length > 0 && ' It is not complete:'}
        {failed.length > 0 && (
          <ul className={css.recordFilesList}>
            {failed.map(({ kind, reason }) => (
              <li key={kind}>
                {kindLabel(kind).many} could not be read. {reason}
              </li>
            ))}
          </ul>
        )}
      </Notice>
      {absent.length > 0 && (
        <Text color="textSecondary">The deployment does not offer {absent.join(' and ')}: the file has none.</Text>
      )}
    </>
  )
}
