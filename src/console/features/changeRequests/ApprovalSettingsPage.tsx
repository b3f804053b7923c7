import { useMutation, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { isHeld, noteHeld } from '#console/api/approval.ts'
import { formatError } from '#console/api/errors.ts'
import { asFailure } from '#console/api/failure.ts'
import { approvalSettingsQuery, setApprovalSettings, testNotification } from '#console/api/gateway/approvals.ts'
import { sessionQuery } from '#console/api/session.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useFrameConnection, useRouteParam } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { CheckboxField } from '#console/ui/form/fields/CheckboxField.tsx'
import { PickSeveralField } from '#console/ui/form/fields/PickSeveralField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { proposingToolLabels, proposingTools } from '#contract/console/agents.ts'
import type { ApprovalSettings } from '#contract/console/approvals.ts'
import type { Connection } from '#contract/console/connections.ts'
import { roleReason } from '#contract/console/consoleRoles.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { noticeLabel } from './changeRequestLabels.ts'
import * as css from './changeRequests.module.css'

export function prefetch({ connectionId = '' }: Record<string, string>): void {
  void queryClient.prefetchQuery(approvalSettingsQuery(connectionId))
}

const fixedUrlReason =
  'Notifications may go to private addresses, so only administrators of this console can change the URL.'

/** Whether changes of a connection need a second person, and who is told about it. */
export default function ApprovalSettingsPage() {
  const connectionId = useRouteParam('connectionId')
  const { connections } = useFrameConnection()
  const connection = connections.find(({ id }) => id === connectionId)
  const { data, error, refetch } = useQuery(approvalSettingsQuery(connectionId))
  if (!connection) {
    return (
      <Page title="Approval">
        <EmptyState
          title="Connection not found"
          action={<LinkButton to={paths.connections()}>All connections</LinkButton>}
        >
          It may have been deleted.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page
      title={`Approval on ${connection.name}`}
      lead="Applies to everybody who uses this connection, tokens included."
    >
      {error && !data && <QueryError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingPanels heights={[200]} />}
      {data && <Settings connection={connection} settings={data} />}
    </Page>
  )
}

const schema = z.object({
  twoPersonApproval: z.boolean(),
  /** Masked until another one is typed. */
  notificationUrl: z.string().trim(),
  allowPrivate: z.boolean(),
  agentTools: z.array(z.string()),
})

const agentOptions = proposingTools.map((value) => ({ value, label: proposingToolLabels[value] }))

function Settings({ connection, settings }: { connection: Connection; settings: ApprovalSettings }) {
  const { twoPersonApproval, notificationUrl, approvers, obstacle, isProposed, deliveries } = settings
  const { control, formState, handleSubmit, reset, resetField } = useSchemaForm(
    schema,
    {
      twoPersonApproval,
      notificationUrl: notificationUrl ?? '',
      allowPrivate: settings.allowPrivateNotification,
      agentTools: settings.agentTools,
    },
    { follows: true },
  )
  const { isDirty, dirtyFields } = formState
  const [allowPrivate, needsSecond] = useWatch({ control, name: ['allowPrivate', 'twoPersonApproval'] })
  const { data: session } = useQuery(sessionQuery)
  const administers = session !== undefined && !session.limited
  const refused = connection.role && roleReason(connection.role, 'administrate', connection.stage)
  const save = useMutation({
    mutationFn: (form: z.infer<typeof schema>) =>
      setApprovalSettings(connection.id, {
        twoPersonApproval: form.twoPersonApproval,
        ...(dirtyFields.notificationUrl && {
          notificationUrl: form.notificationUrl === '' ? null : form.notificationUrl,
        }),
        allowPrivateNotification: form.allowPrivate,
        agentTools: form.twoPersonApproval ? [] : proposingTools.filter((tool) => form.agentTools.includes(tool)),
      }),
    onSuccess: () => {
      reset()
      toast({ tone: 'ok', text: `Approval settings of ${connection.name} saved` })
    },
    onError: (thrown) => {
      const failure = asFailure(thrown)
      if (failure.held) noteHeld(failure.held)
      if (isHeld(failure)) resetField('twoPersonApproval')
    },
  })
  const test = useMutation({ mutationFn: () => testNotification(connection.id) })
  const fixedUrl = administers || !allowPrivate ? undefined : fixedUrlReason
  const refusedPrivate =
    administers || settings.allowPrivateNotification ? undefined : 'Only administrators of this console can allow them.'
  const unapprovable = connection.breakGlass?.isMine ? undefined : connection.approvalRefused
  const blocked = refused ?? (twoPersonApproval ? unapprovable : obstacle)
  return (
    <form
      className={css.settings}
      noValidate
      onSubmit={(event) => void handleSubmit((form) => save.mutate(form))(event)}
    >
      {save.error && <SubmitError error={formatError(save.error)} />}
      <Panel title="Two-person approval">
        {isProposed && (
          <Notice tone="info">
            Proposed: this is a production connection, and {approvers.length} people could approve changes.
          </Notice>
        )}
        <SwitchField
          control={control}
          name="twoPersonApproval"
          label="Changes need approval by a second person"
          disabled={blocked}
        />
        <Text color="textSecondary">
          Every change becomes a change request, which somebody else approves
          {approvers.length > 0 && `: ${approvers.join(', ')}`}. In an emergency, break-glass lets one person change it
          for 15 minutes, visibly to all.
        </Text>
        <Text color="textSecondary">
          Tests, and acknowledgements of firing alerts, need no approval. An acknowledged alert does not repeat its
          notification until it is resolved.
        </Text>
        {twoPersonApproval && (
          <Text color="textSecondary">To turn it off, a second administrator has to approve that as well.</Text>
        )}
      </Panel>
      <Panel title="Agents">
        <Text color="textSecondary">
          What agents propose waits for a person who may approve it. Tools that are chosen here change this connection
          at once; what would delete something still waits.
        </Text>
        <PickSeveralField
          control={control}
          name="agentTools"
          label="Tools that agents may use without approval"
          placeholder="None"
          options={agentOptions}
          disabled={
            refused ??
            (connection.stage === 'production'
              ? 'On production, a person always approves.'
              : needsSecond
                ? 'With two-person approval, a second person always approves.'
                : undefined)
          }
        />
      </Panel>
      <Panel title="Notification">
        <TextField
          control={control}
          name="notificationUrl"
          label="Webhook URL"
          selectsOnFocus
          disabled={refused ?? fixedUrl}
          help="Notified when a request is opened, approved, declined or expires, and of break-glass. Slack receives a message, other receivers JSON. The URL is stored encrypted and shown masked."
        />
        <CheckboxField
          control={control}
          name="allowPrivate"
          label="Allow addresses on this machine or in a private network"
          disabled={refused ?? refusedPrivate}
        />
        <div className={css.buttons}>
          <DisabledReason
            reason={
              refused ??
              (notificationUrl === undefined || dirtyFields.notificationUrl ? 'Save the URL first.' : undefined)
            }
          >
            <Button
              disabled={refused !== undefined || notificationUrl === undefined || dirtyFields.notificationUrl}
              loading={test.isPending}
              onClick={() => test.mutate()}
            >
              Send test
            </Button>
          </DisabledReason>
        </div>
        {test.data && (
          <Notice tone={test.data.ok ? 'success' : 'error'} role="status">
            {test.data.message}
          </Notice>
        )}
        {test.error && <SubmitError error={formatError(test.error)} />}
        {deliveries.length > 0 && (
          <ul className={`${css.outcomes} ${css.deliveries}`} aria-label="Last notifications">
            {deliveries.map(({ event, at, state, attempts, problem }) => (
              <li key={`${at} ${event}`}>
                <StatusChip tone={state === 'sent' ? 'ok' : state === 'failed' ? 'bad' : 'neutral'}>{state}</StatusChip>{' '}
                {noticeLabel(event)} <span className={css.muted}>{formatMoment(at)}</span>
                {problem !== undefined && (
                  <div className={css.muted}>
                    {problem} {attempts > 1 && `After ${attempts} attempts.`}
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <div className={css.buttons}>
        <DisabledReason reason={refused}>
          <Button
            type="submit"
            variant="contained"
            color="primary"
            loading={save.isPending}
            disabled={!isDirty || refused !== undefined}
          >
            Save
          </Button>
        </DisabledReason>
        <LinkButton to={paths.connections()}>All connections</LinkButton>
      </div>
    </form>
  )
}
