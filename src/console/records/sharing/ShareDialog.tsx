import { useMutation, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { createSharedLink, sharedLinksQuery } from '#console/api/gateway/sharedLinks.ts'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { formatTimes } from '#console/ui/time/formatTimes.ts'
import { formatDuration } from '#console/ui/time/formatLength.ts'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { givenName } from '#contract/wire/givenNames.ts'
import type { CreatedLink, SharedRange } from '#contract/console/sharedLinks.ts'
import { counted } from '#domain/text/words.ts'
import type { Span } from '#domain/time/span.ts'
import { recordContent, type Recorded } from './recordContent.ts'
import { LinksTable } from './LinksTable.tsx'
import * as css from '../records.module.css'

interface ShareDialogProps {
  /** The connection that answers the queries. */
  connection: Connection
  name: string
  dashboardId?: string
  /** The range that is shown. */
  span: Span
  /** Whether it ends now. */
  isMoving: boolean
  shown: Omit<Recorded, 'connectionId'>
  /** Why what is shown cannot be shared. */
  refused?: string | undefined
  onClose: () => void
}

const schema = z.object({
  name: givenName(200),
  range: z.enum(['moving', 'fixed', 'snapshot']),
  days: z.string(),
})
const periods = [
  { value: '1', label: '1 day' },
  ...[7, 31, 90, 366].map((days) => ({ value: String(days), label: `${days} days` })),
]
const minute = 60_000

/** Creates a link for people without an account, and lists those that there are. */
export function ShareDialog({
  connection,
  name,
  dashboardId,
  span,
  isMoving,
  shown,
  onClose,
  ...more
}: ShareDialogProps) {
  const { control, handleSubmit } = useSchemaForm(schema, {
    name: name.slice(0, 200),
    range: isMoving ? 'moving' : 'fixed',
    days: '7',
  })
  const links = useQuery(sharedLinksQuery(connection.id))
  const refused = connection.writesRefused ?? connection.linksRefused ?? more.refused
  const create = useMutation({
    mutationFn: async (form: z.output<typeof schema>) =>
      createSharedLink(connection.id, {
        name: form.name,
        days: Number(form.days),
        range: rangeOf(form.range, span),
        snapshot: form.range === 'snapshot',
        ...(dashboardId !== undefined && { dashboardId }),
        content: await recordContent({ sqlRefused: connection.sqlRefused, ...shown, connectionId: connection.id }),
      }),
  })
  const { data } = create
  const submit = handleSubmit((form) => create.mutate(form))
  const zone = shown.scope.zone
  const ranges = [
    ...(isMoving ? [{ value: 'moving', label: `Last ${formatDuration(roundLength(span))}, as time passes` }] : []),
    { value: 'fixed', label: formatTimes(span, zone), detail: 'Read again while the data is there' },
    { value: 'snapshot', label: 'Snapshot of the results', detail: 'Shows the same when the data is gone' },
  ]
  return (
    <FormDialog
      title={data ? 'Public link created' : 'Public link'}
      size="md"
      action="Create link"
      busy={create.isPending}
      disabled={refused !== undefined}
      result={data && <Button onClick={onClose}>Done</Button>}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {refused && <Notice tone="info">{refused}</Notice>}
      {create.error && <SubmitError error={formatError(create.error)} />}
      {data ? (
        <NewLink link={data} />
      ) : (
        <>
          <Text color="textSecondary">
            Whoever has the link sees {counted(shown.tiles.length, 'tile')} of {connection.name} without an account,
            with the conditions and filters of now{hasRows(shown.tiles) && ', among them rows of logs or traces'}. Later
            changes of the dashboard are not shown.
          </Text>
          <TextField control={control} name="name" label="Title" required />
          <SelectField control={control} name="range" label="Time range" options={ranges} />
          <SelectField control={control} name="days" label="Expires after" options={periods} />
        </>
      )}
      {links.error && (
        <Notice tone="warning">The links of this connection could not be read: {links.error.message}</Notice>
      )}
      {links.data && links.data.length > 0 && (
        <LinksTable connection={connection} links={links.data} dashboardId={dashboardId} />
      )}
    </FormDialog>
  )
}

function NewLink({ link }: { link: CreatedLink }) {
  return (
    <>
      <Notice tone="warning" role="status">
        The address is shown only now. Whoever has it sees these results without signing in.
      </Notice>
      <div className={css.address}>
        <code>{link.url}</code>
        <CopyButton text={link.url} label="Copy link" />
      </div>
      <Text color="textSecondary">
        Expires <Timestamp iso={link.expiresAt} />.
        {link.unread > 0 && ` ${counted(link.unread, 'tile')} could not be read, and the snapshot says so.`}
      </Text>
    </>
  )
}

const roundLength = ({ from, to }: Span): number => Math.max(minute, Math.round((to - from) / minute) * minute)

function rangeOf(kind: z.output<typeof schema>['range'], span: Span): SharedRange {
  return kind === 'moving' ? { kind, length: roundLength(span) } : { kind: 'fixed', from: span.from, to: span.to }
}

const hasRows = (tiles: Recorded['tiles']): boolean => tiles.some(({ config }) => config?.displayType === 'search')
