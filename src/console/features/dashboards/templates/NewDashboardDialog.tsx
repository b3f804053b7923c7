import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Globe, Network, Server, Ship, SquareDashed, type LucideIcon } from 'lucide-react'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { useQueryConnection } from '#console/telemetry/queryConnection/useQueryConnection.ts'
import { CardsField } from '#console/ui/form/fields/CardsField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { dashboards, maxDashboardName } from '#contract/dashboards.ts'
import { sources as sourceEndpoints } from '#contract/sources.ts'
import { type DashboardTemplate, sourceOf, templates } from './templates.ts'
import { useFoundTelemetry } from './useFoundTelemetry.ts'

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
