import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import type { Dashboard } from '#contract/dashboards.ts'
import { invalidate } from '#console/api/queries.ts'
import { BulkDialog } from '#console/shell/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { formatDashboards, withDisplayNames } from './dashboardNames.ts'
import { type TagChange, tagDashboard } from './tagging.ts'
import { Text } from '#console/ui/base/Text.tsx'

interface TagDialogProps {
  dashboards: readonly Dashboard[]
  /** Tags that are in use, to choose from. */
  known: readonly string[]
  onClose: () => void
}

/** Adds tags to dashboards and removes others. */
export function TagDialog({ dashboards, known, onClose }: TagDialogProps) {
  const { id: connectionId } = useConnection()
  const [tags, setTags] = useState<TagChange>({ add: [], remove: [] })
  const present = [...new Set(dashboards.flatMap((one) => one.tags))]
  return (
    <BulkDialog
      title={`Tag ${formatDashboards(dashboards)}`}
      rows={withDisplayNames(dashboards)}
      task={({ id }) => tagDashboard(connectionId, id, tags)}
      action="Change tags"
      disabled={tags.add.length + tags.remove.length === 0 ? 'Choose tags first.' : undefined}
      onEnd={(done) => {
        void invalidate(connectionId, 'dashboards')
        const changed = dashboards.filter(({ id }) => done.includes(id))
        if (changed.length > 0) toast({ tone: 'ok', text: `Changed the tags of ${formatDashboards(changed)}` })
      }}
      onClose={onClose}
    >
      <Autocomplete
        multiple
        freeSolo
        // Typed text counts without Enter too.
        autoSelect
        options={known.filter((tag) => !tags.add.includes(tag))}
        value={[...tags.add]}
        onChange={(_, add) => setTags((before) => ({ ...before, add }))}
        renderInput={(input) => <TextField {...input} label="Add tags" helperText="Press Enter after each tag" />}
      />
      {present.length > 0 && (
        <Autocomplete
          multiple
          options={present}
          value={[...tags.remove]}
          onChange={(_, remove) => setTags((before) => ({ ...before, remove }))}
          renderInput={(input) => <TextField {...input} label="Remove tags" />}
        />
      )}
      {dashboards.length > 1 && (
        <Text variant="caption" color="textSecondary">
          Uses {dashboards.length * 2} requests of the rate limit: each dashboard is read again before it is saved.
        </Text>
      )}
    </BulkDialog>
  )
}
