import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { invalidate } from '#console/api/queries.ts'
import { BulkDialog } from '#console/records/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { NamesField } from '#console/ui/form/fields/NamesField.tsx'
import { PickSeveralField } from '#console/ui/form/fields/PickSeveralField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { type Dashboard, dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { updateBody } from '../model/changes.ts'
import { formatDashboards, withDisplayNames } from './dashboardNames.ts'
import type { DashboardRow } from './rows.ts'

interface TagDialogProps {
  dashboards: readonly DashboardRow[]
  /** Tags that are in use, to choose from. */
  known: readonly string[]
  onClose: () => void
}

const schema = z.object({ add: z.array(z.string()), remove: z.array(z.string()) })

/** Adds tags to dashboards and removes others. */
export function TagDialog({ dashboards, known, onClose }: TagDialogProps) {
  const { id: connectionId } = useConnection()
  const { control } = useSchemaForm(schema, { add: [], remove: [] })
  const tags = useWatch({ control, compute: (form: z.infer<typeof schema>) => form })
  const present = [...new Set(dashboards.flatMap((dashboard) => dashboard.tags))]
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
        if (changed.length > 0) toast({ tone: 'ok', text: `Tags of ${formatDashboards(changed)} saved` })
      }}
      onClose={onClose}
    >
      <NamesField control={control} name="add" label="Add tags" options={known} help="Press Enter after each tag" />
      {present.length > 0 && (
        <PickSeveralField
          control={control}
          name="remove"
          label="Remove tags"
          options={present.map((tag) => ({ value: tag, label: tag }))}
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

/** Changing the tags of many dashboards. */
interface TagChange {
  add: readonly string[]
  remove: readonly string[]
}

/** The tags after a change, each once, in their order. */
function changedTags(tags: readonly string[], { add, remove }: TagChange): string[] {
  return [...new Set([...tags, ...add])].filter((tag) => !remove.includes(tag))
}

/** Reads the dashboard right before it is written: an update replaces its tiles whole. */
async function tagDashboard(connectionId: string, dashboardId: string, change: TagChange): Promise<void> {
  const params = { dashboardId }
  await guardedWrite<Dashboard, unknown>({
    base: await call(connectionId, dashboards.get, { params }, { priority: 'user' }),
    record: dashboards.get.result,
    // Changes by others are kept: the tags are changed in the stored dashboard.
    unchanged: () => true,
    write: async (current) => {
      const body = updateBody(current, { ...current, tags: changedTags(current.tags, change) })
      if (body) await call(connectionId, dashboards.update, { params, body }, { base: current })
    },
  })
}
