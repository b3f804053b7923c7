import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import type { Connection } from '#contract/console/connections.ts'
import { type Source, sources as sourceEndpoints } from '#contract/stack/sources.ts'
import { connectionsQuery } from '#console/api/connections.ts'
import { formatError } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { matchSources } from '#console/charting/sourceMatch.ts'
import { stageLabels } from '#console/shell/stage/stageLabels.ts'
import { MatchTable } from '#console/charting/rows/MatchTable.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Notice } from '#console/ui/Notice.tsx'
import {
  setQueryConnectionChoice,
  useQueryConnectionChoice,
} from '#console/charting/queryConnection/queryConnectionChoice.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'

interface QueryConnectionDialogProps {
  connection: Connection
  sources: readonly Source[]
  onClose: () => void
}

const schema = z.object({
  connectionId: z.string().min(1),
  /** The IDs of the sources there, by those of the sources here. */
  sources: z.record(z.string(), z.string()),
})

/** Chooses the connection that queries data for this one, and maps the sources. */
export function QueryConnectionDialog({ connection, sources, onClose }: QueryConnectionDialogProps) {
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const now = useQueryConnectionChoice(connection, connections)
  const candidates = connections.filter(({ variant, id }) => variant === 'openSource' && id !== connection.id)
  const { control, handleSubmit, setValue, getValues } = useSchemaForm(schema, {
    connectionId: now?.connectionId ?? candidates[0]?.id ?? '',
    sources: now?.sources ?? {},
  })
  const isOpenSource = connection.variant === 'openSource'
  const partnerId = useWatch({ control, name: 'connectionId' })
  const chosen = useWatch({ control, name: 'sources' })
  const partnerSources = useQuery({ ...q(partnerId, sourceEndpoints.list, {}), enabled: partnerId !== '' })
  const matches = matchSources(sources, partnerSources.data ?? [], chosen)

  const pair = handleSubmit((choice) => {
    setQueryConnectionChoice(connection.id, choice)
    onClose()
  })
  const remove = (
    <Button
      color="error"
      onClick={() => {
        setQueryConnectionChoice(connection.id, null)
        onClose()
      }}
    >
      Remove query connection
    </Button>
  )
  return (
    <FormDialog
      title={`Query connection of ${connection.name}`}
      size="md"
      action="Save"
      disabled={!partnerSources.data}
      otherAction={now && remove}
      onSubmit={() => void pair()}
      onClose={onClose}
    >
      <Text color="textSecondary">
        Dashboards are stored on {connection.name}. Their data is queried through {isOpenSource ? 'another' : 'an'}{' '}
        open-source connection to the same data. This setting is stored in this browser.
      </Text>
      {candidates.length === 0 ? (
        <Notice tone="warning">
          No {isOpenSource && 'other '}open-source connection yet. Add one under Connections.
        </Notice>
      ) : (
        <SelectField
          control={control}
          name="connectionId"
          label="Query data through"
          options={candidates.map(({ id, name, stage }) => ({ value: id, label: `${name} · ${stageLabels[stage]}` }))}
          onPick={() => setValue('sources', {})}
        />
      )}
      {partnerSources.isError && <Notice tone="error">{formatError(partnerSources.error).sentence}</Notice>}
      {partnerSources.data && (
        <MatchTable
          matches={matches}
          candidates={partnerSources.data}
          onChoose={(from, to) => setValue('sources', { ...getValues('sources'), [from]: to })}
        />
      )}
    </FormDialog>
  )
}
