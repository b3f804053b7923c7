import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { useState } from 'react'
import { ApiFailure } from '#console/api/failure.ts'
import { BulkDialog } from '#console/shell/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import type { Source } from '#contract/sources.ts'
import { deleteSource, evictSources, restoreSources } from './deleting.ts'
import { UserLinks } from './UserLinks.tsx'
import { useSourceUsers } from './useSources.ts'
import { isUsed, formatSourceUsers } from './sourceLabels.ts'
import { counted } from '#console/ui/format.ts'

/** Deletes many one after the other. Those that something reads from are left out unless that is meant. */
export function DeleteSources({ chosen, onClose }: { chosen: readonly Source[]; onClose: () => void }) {
  const connection = useConnection()
  const connectionId = connection.id
  const usersOf = useSourceUsers()
  const [usedToo, setUsedToo] = useState(false)
  const inUse = (id: string) => usersOf !== undefined && isUsed(usersOf(id))
  const used = chosen.filter(({ id }) => inUse(id))

  const remove = async ({ id, source }: { id: string; source: Source }) => {
    if (!usedToo && usersOf && inUse(id))
      throw stillUsed(`Left, because it is used by ${formatSourceUsers(usersOf(id))}.`)
    await deleteSource(connectionId, source)
  }
  const ended = (done: string[]) => {
    const gone = chosen.filter(({ id }) => done.includes(id))
    if (gone.length === 0) return
    const undo = () => void restoreSources(connection, gone, inUse)
    toast({ tone: 'ok', text: `${counted(gone.length, 'source')} deleted.`, action: { label: 'Undo', run: undo } })
    void evictSources(connectionId, done)
  }
  return (
    <BulkDialog
      title={`Delete ${counted(chosen.length, 'source')}?`}
      rows={chosen.map((source) => ({
        id: source.id,
        name: source.name,
        source,
        blocker: usersOf && inUse(source.id) && <UserLinks users={usersOf(source.id)} newTab />,
      }))}
      task={remove}
      action={`Delete ${counted(usedToo ? chosen.length : chosen.length - used.length, 'source')}`}
      danger
      destroys={usedToo ? chosen.length : chosen.length - used.length}
      disabled={
        usersOf === undefined
          ? 'It is not known yet who uses them.'
          : !usedToo && used.length === chosen.length
            ? 'All of them are in use.'
            : undefined
      }
      onEnd={ended}
      onClose={onClose}
    >
      <div>Undo makes them again with new ids. Their data stays.</div>
      {usersOf && used.length > 0 && (
        <>
          <div>
            {used.length === 1 ? '1 of them is in use and is left' : `${used.length} of them are in use and are left`}:
          </div>
          <ScrollRegion label="In use" sx={{ maxHeight: 240 }}>
            {used.map(({ id, name }) => (
              <Box key={id} sx={{ mb: 2 }}>
                <strong>{name}</strong>
                <UserLinks users={usersOf(id)} newTab />
              </Box>
            ))}
          </ScrollRegion>
          <FormControlLabel
            control={<Checkbox checked={usedToo} onChange={(_, on) => setUsedToo(on)} />}
            label="Delete those in use too: what names them keeps an id that leads nowhere, and shows nothing"
          />
        </>
      )}
    </BulkDialog>
  )
}

const stillUsed = (message: string) => new ApiFailure({ code: 'conflict', status: 409, message })
