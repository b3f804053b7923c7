import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Globe, type LucideIcon, Network, Server, Ship, SquareDashed } from 'lucide-react'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { useQueryConnection } from '#console/charting/queryConnection/useQueryConnection.ts'
import { CardsField } from '#console/ui/form/fields/CardsField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { dashboards, maxDashboardName } from '#contract/stack/dashboards/dashboards.ts'
import { type Source, sources as sourceEndpoints } from '#contract/stack/sources.ts'
import { queryCharts } from '#console/charting/queryCharts.ts'
import { totalGranularity } from '#domain/series/bucketAlignment.ts'
import { type DashboardTemplate, sourceOf, templates } from './templates.ts'

const blank = 'blank'
const schema = z
  .object({ name: z.string().trim().max(maxDashboardName), template: z.string() })
  .refine(({ name, template }) => name !== '' || template !== blank, { path: ['name'], message: 'Enter a name' })

const icons: Record<string, LucideIcon> = { http: Globe, hosts: Server, kubernetes: Ship, collector: Network }

/** A new dashboard: an empty one, opened for editing, or a ready one for telemetry that is there. */
export function NewDashboardDialog({ onClose }: { onClose: () => void }) {
  const connection = useConnection()
  const navigate = useNavigate()
  const {
    control,
    watch,
    formState: { isValid },
    handleSubmit,
  } = useSchemaForm(schema, { name: '', template: blank })
  const chosen = templates.find(({ id }) => id === watch('template'))
  const sources = useQuery(q(connection.id, sourceEndpoints.list, {})).data ?? []
  const answers = useQueryConnection(connection)
  const found = useFoundTelemetry(answers.connectionId, answers.answering)
  const create = useApiMutation(connection.id, dashboards.create, {
    onSuccess: (created) =>
      navigate({ to: paths.dashboard(connection.id, created.id), search: chosen ? {} : { edit: '1' } }),
  })
  const stateOf = (template: DashboardTemplate): string => {
    if (!sourceOf(template, sources)) return `This connection has no source of ${template.kind}s.`
    const isThere = found(template)
    return isThere === undefined ? '' : isThere ? 'Telemetry found.' : 'No such telemetry in the last hour.'
  }
  const submit = handleSubmit(({ name }) => {
    const source = chosen && sourceOf(chosen, sources)
    create.mutate({ body: { name: name || (chosen?.name ?? ''), tiles: source ? chosen.tiles(source.id) : [] } })
  })
  return (
    <FormDialog
      title="New dashboard"
      action="Create dashboard"
      size="md"
      busy={create.isPending}
      disabled={!isValid || (chosen !== undefined && !sourceOf(chosen, sources))}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {create.error && <SubmitError error={formatError(create.error)} />}
      <TextField
        control={control}
        name="name"
        label="Name"
        maxLength={maxDashboardName}
        required={!chosen}
        {...(chosen && { placeholder: chosen.name })}
      />
      <CardsField
        control={control}
        name="template"
        label="Start with"
        cards={[
          { value: blank, label: 'An empty dashboard', detail: 'Add the tiles yourself', icon: SquareDashed },
          ...templates.map((template) => ({
            value: template.id,
            label: template.name,
            detail: `${template.detail}. ${stateOf(template)}`,
            icon: icons[template.id] ?? SquareDashed,
          })),
        ]}
      />
    </FormDialog>
  )
}

const hour = 3_600_000

/** Whether the last hour has the telemetry of a template; undefined while that is not known. */
type FoundTelemetry = (template: DashboardTemplate) => boolean | undefined

/**
 * Counts what the templates need over the last hour, in one request for each source, again and again while it is shown.
 * @param connectionId the connection that answers for charts; null if none does
 */
function useFoundTelemetry(connectionId: string | null, sources: readonly Source[]): FoundTelemetry {
  const groups = new Map<string, DashboardTemplate[]>()
  for (const template of templates) {
    const source = sourceOf(template, sources)
    if (source) groups.set(source.id, [...(groups.get(source.id) ?? []), template])
  }
  const found = useQueries({
    queries: [...groups].map(([sourceId, list]) => ({
      queryKey: [connectionId, 'charts', 'templates', sourceId],
      queryFn: ({ signal }: { signal: AbortSignal }) => countEach(connectionId ?? '', sourceId, list, sources, signal),
      enabled: connectionId !== null,
      // Somebody may have just begun to send.
      refetchInterval: 10_000,
      retry: false,
    })),
    combine: (results) => new Map(results.flatMap(({ data }) => [...(data ?? [])])),
  })
  return ({ id }) => found.get(id)
}

async function countEach(
  connectionId: string,
  sourceId: string,
  list: readonly DashboardTemplate[],
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<Map<string, boolean>> {
  const now = Date.now()
  const span = { from: now - hour, to: now }
  const body = {
    startTime: span.from,
    endTime: span.to,
    granularity: totalGranularity(span),
    series: list.map(({ needs }) => ({ ...needs, sourceId })),
  }
  const points = await queryCharts(connectionId, body, sources, { signal, priority: 'background' })
  return new Map(
    list.map(({ id }, index) => [id, points.some((point) => Number(point[`series_${index}.data`] ?? 0) > 0)]),
  )
}
